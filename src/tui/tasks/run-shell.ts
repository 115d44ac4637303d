import type { App } from '../app.ts'

/** `!command`: the person's own command, run as they would in a shell; its output is shown and can be talked about. */
export async function runShell(app: App, line: string): Promise<void> {
  if (!app.host || line.trim() === '') return
  app.dispatch({ type: 'say', text: `running: ${line}` })
  const { output, code } = await app.host.shell(line, AbortSignal.timeout(120_000))
  const lines = output.trimEnd().split('\n')
  app.dispatch(
    { type: 'hush' },
    {
      type: 'open_modal',
      modal: {
        kind: 'page',
        title: `$ ${line}${code === 0 ? '' : ` · exit ${code ?? 'killed'}`}`,
        lines: lines.map((text) => ({ text })),
        scroll: 0,
      },
    },
  )
}
