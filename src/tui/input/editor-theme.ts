import type { EditorTheme } from '@earendil-works/pi-tui'
import type { Theme } from '../draw/theme.ts'

export const editorTheme = (theme: () => Theme): EditorTheme => ({
  borderColor: (text) => text,
  selectList: {
    selectedPrefix: (text) => theme().wrap('accent', text),
    selectedText: (text) => theme().wrap('selected', text),
    description: (text) => theme().wrap('dim', text),
    scrollInfo: (text) => theme().wrap('dim', text),
    noMatch: (text) => theme().wrap('dim', text),
  },
})
