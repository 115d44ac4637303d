import { expect, test } from 'vitest'
import { type Style, makeTheme } from './theme.ts'

/** Text 4.5 to 1, as WCAG asks; what is grey or only a line 3 to 1. Null: the terminal's own colour. */
const least: Record<Style, number | null> = {
  ...{ text: null, bold: null, italic: null, underline: null, strike: null },
  ...{ dim: 3, border: 3, disabled: 3, comment: 3 },
  ...{ accent: 4.5, plan: 4.5, act: 4.5, wait: 4.5, error: 4.5, success: 4.5, added: 4.5, removed: 4.5 },
  ...{ code: 4.5, keyword: 4.5, string: 4.5, number: 4.5, selected: 4.5, match: 4.5 },
}

const grounds = { dark: [0, 0, 0], light: [255, 255, 255] } as const

for (const name of ['dark', 'light'] as const) {
  test.each(Object.entries(least) as [Style, number | null][])(
    `the ${name} theme: %s can be read`,
    (style, ratio) => {
      const { fore, back } = colorsOf(makeTheme(name, true).wrap(style, 'x'))
      if (ratio === null) return expect({ fore, back }).toEqual({ fore: undefined, back: undefined })
      expect(contrast(fore ?? [], back ?? grounds[name])).toBeGreaterThanOrEqual(ratio)
    },
  )
}

test('what is over is greyer than what is said beside it, and that than text', () => {
  for (const name of ['dark', 'light'] as const) {
    const of = (style: Style) =>
      contrast(colorsOf(makeTheme(name, true).wrap(style, 'x')).fore ?? [], grounds[name])
    expect(of('disabled')).toBeLessThan(of('dim'))
    expect(of('dim')).toBeLessThan(10)
  }
})

test('a style ends what it began and nothing else', () => {
  const theme = makeTheme('light', true)
  expect(theme.wrap('bold', theme.wrap('selected', 'x'))).toBe(
    '\u001b[1m\u001b[38;5;16;48;5;254mx\u001b[39;49m\u001b[22m',
  )
})

type Color = readonly number[]

function colorsOf(painted: string): { fore: Color | undefined; back: Color | undefined } {
  const of = (which: 38 | 48) => {
    const found = new RegExp(`[[;]${which};5;(\\d+)`).exec(painted)?.[1]
    return found === undefined ? undefined : paletteColor(Number(found))
  }
  return { fore: of(38), back: of(48) }
}

/** The colours from 16 on, which are the same in every terminal. */
function paletteColor(index: number): Color {
  expect(index).toBeGreaterThanOrEqual(16)
  if (index >= 232) return [0, 0, 0].map(() => 8 + (index - 232) * 10)
  const steps = [0, 95, 135, 175, 215, 255]
  return [36, 6, 1].map((place) => steps[Math.floor((index - 16) / place) % 6] ?? 0)
}

/** As WCAG 2.2 defines it. */
function contrast(one: Color, other: Color): number {
  const [brighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (brighter + 0.05) / (darker + 0.05)
}

function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
