import { stripTerminalSequences } from '@earendil-works/pi-tui'
import { expect, test } from 'vitest'
import { makeTheme } from '../draw/theme.ts'
import type { PageModal } from '../state/modal.ts'
import { drawPage, pageKey } from './page.ts'

const theme = makeTheme('dark', true)
const size = { width: 60, height: 12 }
const page = (...texts: string[]): PageModal => ({
  ...{ kind: 'page', title: 'Output', scroll: 0 },
  lines: texts.map((text) => ({ text })),
})

test('one long line can be scrolled to its end, and no further', () => {
  const modal = page(`${'word '.repeat(400)}the end`)
  const { lines, most = 0 } = drawPage(theme, modal, size)
  expect(lines.join('')).not.toContain('the end')
  expect(most).toBeGreaterThan(10)
  const { modal: last } = pageKey(modal, { name: 'end' }, most)
  expect(last).toMatchObject({ scroll: most })
  expect(drawPage(theme, last as PageModal, size).lines.join('')).toContain('the end')
  expect(pageKey(last as PageModal, { name: 'down' }, most).modal).toMatchObject({ scroll: most })
})

test('a key and what it does stand one below the other when there is no room beside each other', () => {
  const modal: PageModal = {
    ...page(),
    lines: [{ text: '  Enter                    send it', hang: 27 }],
  }
  const shown = (width: number) =>
    drawPage(theme, modal, { width, height: 12 }).lines.map((line) => stripTerminalSequences(line))
  expect(shown(60)[1]).toContain('Enter                    send it')
  expect(shown(40)[1]).toMatch(/^│ Enter +│$/)
  expect(shown(40)[2]).toMatch(/^│ {3}send it +│$/)
})
