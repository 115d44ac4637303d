import type { App } from '../app.ts'

/** Ctrl+Z: back to the shell until `fg`. */
export function suspend(app: App): void {
  if (process.platform === 'win32') return
  app.tui.stop({ preserveScreen: true })
  process.once('SIGCONT', () => {
    app.tui.start()
    app.redraw()
  })
  process.kill(process.pid, 'SIGTSTP')
}
