import type { PageLine } from '../state/modal.ts'
import type { SlashCommand } from './command.ts'

export const configCommand: SlashCommand = {
  name: 'config',
  about: 'where the config is, what is in it, and what is wrong with it',
  async run(app) {
    const report = await app.host?.config()
    if (!report) return
    const { file, source, problems } = report
    const lines: PageLine[] = [
      { text: file ?? 'There is no config: conclave init writes one.', style: 'bold' },
      ...problems.flatMap(({ line, column, message, suggestion }) => [
        { text: `${line}:${column} ${message}`, style: 'error' as const },
        ...(suggestion ? [{ text: `  ${suggestion}`, style: 'dim' as const }] : []),
      ]),
      ...(file && problems.length === 0 ? [{ text: 'no problems; changes count from the next start' }] : []),
      { text: '' },
      ...source
        .trimEnd()
        .split('\n')
        .map((text) => ({ text, style: 'dim' as const })),
    ]
    app.dispatch({ type: 'open_modal', modal: { kind: 'page', title: 'Config', lines, scroll: 0 } })
  },
}
