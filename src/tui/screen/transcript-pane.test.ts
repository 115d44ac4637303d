import { stripTerminalSequences } from '@earendil-works/pi-tui'
import { expect, test } from 'vitest'
import type { TranscriptItem } from '../../view/transcript-item.ts'
import { makeTheme } from '../draw/theme.ts'
import { initialUi } from '../state/ui-state.ts'
import { type ItemList, TranscriptPane } from './transcript-pane.ts'

const theme = makeTheme('dark', false)
const size = { width: 40, height: 10 }

/** A hundred thousand notices, made when they are asked for; counts how often that is. */
function longList(count: number): ItemList & { asked: number } {
  const list = {
    count,
    asked: 0,
    at(place: number): TranscriptItem {
      list.asked++
      const base = { id: `i${place}`, revision: 1, at: '', stream: 'chat_x' as const }
      return { ...base, kind: 'notice', tone: 'info', text: `line ${place}` }
    },
  }
  return list
}

const shown = (lines: string[]) => lines.map((line) => stripTerminalSequences(line))

test('only what is visible is drawn, however long the transcript is', () => {
  const pane = new TranscriptPane()
  const list = longList(100_000)
  const { lines } = pane.draw(theme, list, initialUi('dark'), size)
  expect(shown(lines)).toEqual(Array.from({ length: 10 }, (_, row) => `· line ${99_990 + row}`))
  expect(list.asked).toBeLessThan(50)
})

test('scrolling up and down again ends where it began', () => {
  const pane = new TranscriptPane()
  const list = longList(100_000)
  const ui = initialUi('dark')
  pane.draw(theme, list, ui, size)
  const up = { ...ui, scroll: pane.move(theme, list, ui, -500) }
  expect(shown(pane.draw(theme, list, up, size).lines)[0]).toBe('· line 99490')
  expect(pane.move(theme, list, up, 499)).toMatchObject({ follow: false })
  expect(pane.move(theme, list, up, 500)).toEqual({ follow: true })
  const short = longList(300)
  expect(pane.move(theme, short, ui, -1_000_000)).toEqual({ follow: false, place: 0, line: 0 })
})
