import type { App } from '../app.ts'

export function explainModes(app: App): void {
  const lines = app.scene.toggles.flatMap(({ label, description, reason }) => [
    { text: label, style: 'bold' as const },
    { text: `  ${description}${reason ? ` (${reason})` : ''}` },
  ])
  app.dispatch({ type: 'open_modal', modal: { kind: 'page', title: 'Modes', lines, scroll: 0 } })
}
