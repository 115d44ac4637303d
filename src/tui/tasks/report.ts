import type { CommandResult } from '../../schema/command.ts'
import type { App } from '../app.ts'

/** A refusal is said; what was accepted shows by itself. */
export function report(app: App, result: CommandResult | undefined): void {
  if (result && !result.accepted) app.dispatch({ type: 'say', text: result.reason, tone: 'error' })
}
