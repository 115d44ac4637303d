import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from '@earendil-works/pi-tui'
import { fuzzyFilter } from '@earendil-works/pi-tui'
import { oneLine } from '../draw/theme.ts'

const MOST = 30

export interface CompletionSources {
  commands: () => Promise<{ name: string; about: string }[]>
  files: () => Promise<string[]>
}

/** `/command` at the beginning of the input, `@file` at the beginning of a word. */
export function completions({ commands, files }: CompletionSources): AutocompleteProvider {
  return {
    triggerCharacters: ['@', '/'],
    async getSuggestions(lines, line, column): Promise<AutocompleteSuggestions | null> {
      const before = (lines[line] ?? '').slice(0, column)
      if (line === 0 && /^\/\S*$/.test(before)) {
        const items = (await commands()).map(({ name, about }) => ({
          value: `/${name}`,
          label: `/${name}`,
          description: oneLine(about),
        }))
        return found(
          fuzzyFilter(items, before.slice(1), ({ label }) => label),
          before,
        )
      }
      const at = /(?:^|\s)(@\S*)$/.exec(before)?.[1]
      if (at === undefined) return null
      const matching = fuzzyFilter(await files(), at.slice(1), (path) => path)
      return found(
        matching.slice(0, MOST).map((path) => ({ value: `@${path}`, label: oneLine(path) })),
        at,
      )
    },
    applyCompletion(lines, line, column, item, prefix) {
      const text = lines[line] ?? ''
      const start = column - prefix.length
      const next = `${text.slice(0, start)}${item.value} ${text.slice(column)}`
      return { lines: lines.with(line, next), cursorLine: line, cursorCol: start + item.value.length + 1 }
    },
    shouldTriggerFileCompletion: (lines, line, column) =>
      /(?:^|\s)@\S*$/.test((lines[line] ?? '').slice(0, column)),
  }
}

const found = (items: AutocompleteItem[], prefix: string): AutocompleteSuggestions | null =>
  items.length > 0 ? { items, prefix } : null
