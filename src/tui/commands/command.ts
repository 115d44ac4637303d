import type { App } from '../app.ts'

/** What `/name` does. Each lives in a file of its own and is listed in the registry. */
export interface SlashCommand {
  name: string
  about: string
  /** What may follow it, for help. */
  takes?: string
  run: (app: App, rest: string) => void | Promise<void>
}
