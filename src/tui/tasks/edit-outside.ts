import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from '../app.ts'

/** Ctrl+G: the input in $VISUAL or $EDITOR. The screen is given to it meanwhile. */
export async function editOutside(app: App): Promise<void> {
  const editor = process.env['VISUAL'] || process.env['EDITOR'] || 'vi'
  const folder = mkdtempSync(join(tmpdir(), 'conclave-prompt-'))
  const file = join(folder, 'prompt.md')
  try {
    writeFileSync(file, app.editor.getExpandedText(), { mode: 0o600 })
    app.tui.stop({ preserveScreen: true })
    // The variable may hold arguments, so a shell takes it apart; the file is passed as it is.
    const { status, error } = spawnSync('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' })
    app.tui.start()
    app.redraw()
    if (error || status !== 0)
      app.dispatch({ type: 'say', text: `${editor} did not end well: the input is unchanged`, tone: 'error' })
    else app.editor.setText(readFileSync(file, 'utf8').trimEnd())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
