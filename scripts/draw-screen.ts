import type { IBufferCell, Terminal } from '@xterm/headless'

const CELL = { width: 8.4, height: 18 }
const MARGIN = 14
const colors = { ground: '#16181d', text: '#d7dae0' }

/** The screen of an emulator as SVG: one text for each run of cells that look the same. */
export function drawScreen({ buffer: { active }, cols, rows }: Terminal): string {
  const parts: string[] = []
  for (let row = 0; row < rows; row++) {
    const line = active.getLine(active.baseY + row)
    let column = 0
    while (line && column < cols) {
      const first = line.getCell(column)
      if (!first) break
      const style = styleOf(first)
      let text = ''
      const from = column
      for (; column < cols; column++) {
        const cell = line.getCell(column)
        if (!cell || (column > from && styleOf(cell) !== style)) break
        text += cell.getWidth() === 0 ? '' : cell.getChars() || ' '
      }
      parts.push(drawRun(first, { text, row, from, to: column }))
    }
  }
  const width = Math.round(cols * CELL.width + 2 * MARGIN)
  const height = Math.round(rows * CELL.height + 2 * MARGIN)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="100%" height="100%" rx="10" fill="${colors.ground}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${colors.text}">`,
    ...parts.filter(Boolean),
    '</g></svg>\n',
  ].join('\n')
}

function drawRun(
  cell: IBufferCell,
  { text, row, from, to }: { text: string; row: number; from: number; to: number },
): string {
  const [x, y] = [MARGIN + from * CELL.width, MARGIN + row * CELL.height]
  const width = (to - from) * CELL.width
  const reverse = cell.isInverse() !== 0
  const [fore, back] = [colorOf(cell, 'fore'), colorOf(cell, 'back')]
  const ground = reverse ? (fore ?? colors.text) : back
  const ink = reverse ? (back ?? colors.ground) : fore
  const box = ground
    ? `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${CELL.height}" fill="${ground}"/>`
    : ''
  const weight = cell.isBold() !== 0 ? ' font-weight="bold"' : ''
  const faint = cell.isDim() !== 0 ? ' opacity="0.6"' : ''
  const line = cell.isUnderline() !== 0 ? ' text-decoration="underline"' : ''
  const slant = cell.isItalic() !== 0 ? ' font-style="italic"' : ''
  const fill = ink ? ` fill="${ink}"` : ''
  // Fonts differ in width, and blanks in a row are drawn as one: every piece is fitted to its own cells.
  const pieces = [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: shown, index }) => {
    const at = `x="${round(x + index * CELL.width)}" y="${round(y + 13.5)}"`
    const fit = `textLength="${round(shown.length * CELL.width)}" lengthAdjust="spacingAndGlyphs"`
    return `<text ${at} ${fit}${fill}${weight}${faint}${line}${slant}>${escape(shown)}</text>`
  })
  return box + pieces.join('')
}

const styleOf = (cell: IBufferCell): string =>
  [
    cell.getFgColor(),
    cell.getFgColorMode(),
    cell.getBgColor(),
    cell.getBgColorMode(),
    cell.isBold(),
    cell.isDim(),
    cell.isInverse(),
    cell.isUnderline(),
    cell.isItalic(),
  ].join(' ')

function colorOf(cell: IBufferCell, which: 'fore' | 'back'): string | undefined {
  if (which === 'fore' ? cell.isFgDefault() : cell.isBgDefault()) return undefined
  const index = which === 'fore' ? cell.getFgColor() : cell.getBgColor()
  return (which === 'fore' ? cell.isFgRGB() : cell.isBgRGB()) ? hex(index) : paletteColor(index)
}

/** The 256 colours that terminals share, except that the first 16 are everybody's own. */
function paletteColor(index: number): string {
  if (index < 16) return index === 0 ? '#000000' : index === 15 ? '#ffffff' : '#a0a4ad'
  if (index >= 232) return hex((8 + (index - 232) * 10) * 0x010101)
  const steps = [0, 95, 135, 175, 215, 255]
  const at = (place: number): number => steps[Math.floor((index - 16) / place) % 6] ?? 0
  return hex((at(36) << 16) | (at(6) << 8) | at(1))
}

const hex = (value: number): string => `#${value.toString(16).padStart(6, '0')}`

const round = (value: number): number => Math.round(value * 10) / 10

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
