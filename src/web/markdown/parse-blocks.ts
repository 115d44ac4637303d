export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'rule' }

/** The part of Markdown that models write. Anything else, HTML included, stays the text it is. Linear in the text. */
export function parseBlocks(text: string): Block[] {
  return parseLines(text.replaceAll('\r\n', '\n').split('\n'), 0)
}

/** Deeper than this nothing is nested: what a hostile text gets is a paragraph. */
const deepest = 6

const fence = /^ {0,3}(`{3,}|~{3,})([^`]*)$/
const heading = /^ {0,3}(#{1,6}) +(.*)$/
const rule = /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/
const item = /^( *)([-*+]|\d{1,9}[.)]) +(.*)$/
const quote = /^ {0,3}> ?/
const divider = /^\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/

function parseLines(lines: string[], depth: number): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    const [block, next] = line.trim() === '' ? [undefined, at + 1] : readBlock(lines, at, depth)
    if (block) blocks.push(block)
    at = next
  }
  return blocks
}

type Read = [Block, next: number]

function readBlock(lines: string[], at: number, depth: number): Read {
  const line = lines[at] ?? ''
  const [, marks, info = ''] = fence.exec(line) ?? []
  if (marks) return readCode(lines, at + 1, marks, info.trim())
  const [, hashes, title = ''] = heading.exec(line) ?? []
  if (hashes) return [{ kind: 'heading', level: hashes.length, text: title.replace(/ #+ *$/, '') }, at + 1]
  if (line.length < 200 && rule.test(line)) return [{ kind: 'rule' }, at + 1]
  if (depth < deepest && quote.test(line)) return readQuote(lines, at, depth)
  if (depth < deepest && item.test(line)) return readList(lines, at, depth)
  if (line.includes('|') && isDivider(lines[at + 1])) return readTable(lines, at)
  return readParagraph(lines, at, depth)
}

function readCode(lines: string[], from: number, marks: string, language: string): Read {
  let end = from
  while (end < lines.length && !isClosing(lines[end] ?? '', marks)) end++
  return [{ kind: 'code', language, text: lines.slice(from, end).join('\n') }, end + 1]
}

const isClosing = (line: string, marks: string): boolean => {
  const trimmed = line.trim()
  return trimmed.length >= marks.length && trimmed === marks.charAt(0).repeat(trimmed.length)
}

function readQuote(lines: string[], at: number, depth: number): Read {
  let end = at
  while (end < lines.length && quote.test(lines[end] ?? '')) end++
  const inner = lines.slice(at, end).map((line) => line.replace(quote, ''))
  return [{ kind: 'quote', blocks: parseLines(inner, depth + 1) }, end]
}

/** An item goes on as long as lines are indented below its mark; a blank line ends it unless more follows. */
function readList(lines: string[], at: number, depth: number): Read {
  const [, indent = '', mark = ''] = item.exec(lines[at] ?? '') ?? []
  const ordered = /\d/.test(mark)
  const items: Block[][] = []
  let end = at
  while (end < lines.length) {
    const [, own = '', ownMark = '', first = ''] = item.exec(lines[end] ?? '') ?? []
    if (!ownMark || own.length !== indent.length || /\d/.test(ownMark) !== ordered) break
    const width = own.length + ownMark.length + 1
    const inner = [first]
    end++
    while (end < lines.length && belongs(lines, end, indent.length)) {
      inner.push(dedent(lines[end] ?? '', width))
      end++
    }
    items.push(parseLines(inner, depth + 1))
    while (end < lines.length && (lines[end] ?? '').trim() === '' && item.test(lines[end + 1] ?? '')) end++
  }
  return [{ kind: 'list', ordered, start: ordered ? Number.parseInt(mark, 10) : 1, items }, end]
}

function belongs(lines: string[], at: number, indent: number): boolean {
  const line = lines[at] ?? ''
  if (line.trim() === '') return leading(lines[at + 1] ?? '') > indent && (lines[at + 1] ?? '').trim() !== ''
  if (leading(line) > indent) return true
  return !startsBlock(line)
}

const leading = (line: string): number => line.length - line.trimStart().length

const dedent = (line: string, width: number): string => line.slice(Math.min(width, leading(line)))

function readTable(lines: string[], at: number): Read {
  let end = at + 2
  while (end < lines.length && (lines[end] ?? '').includes('|')) end++
  const head = cells(lines[at] ?? '')
  const rows = lines.slice(at + 2, end).map((line) => cells(line).slice(0, head.length))
  return [{ kind: 'table', head, rows }, end]
}

const isDivider = (line: string | undefined): boolean =>
  line !== undefined && line.length < 1000 && divider.test(line.trim())

const cells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())

function readParagraph(lines: string[], at: number, depth: number): Read {
  let end = at + 1
  while (end < lines.length && (lines[end] ?? '').trim() !== '') {
    if (depth < deepest && startsBlock(lines[end] ?? '')) break
    end++
  }
  return [{ kind: 'paragraph', text: lines.slice(at, end).join('\n') }, end]
}

const startsBlock = (line: string): boolean =>
  fence.test(line) ||
  heading.test(line) ||
  quote.test(line) ||
  item.test(line) ||
  (line.length < 200 && rule.test(line))
