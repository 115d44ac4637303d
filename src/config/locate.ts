import { type Document, type LineCounter, isMap, isNode, isScalar } from 'yaml'

export type Path = readonly PropertyKey[]

/** A place in a file, counted from one. */
export interface Place {
  file: string
  line: number
  column: number
}

export type Locate = (offset: number) => Place

export function locator(file: string, lines: LineCounter): Locate {
  return (offset) => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(1, line), column: Math.max(1, col) }
  }
}

/** For a text that was not parsed. */
export function placeOf(file: string, source: string, offset: number): Place {
  const before = source.slice(0, offset)
  return { file, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

/** Where a value (or its key) stands; for something missing, the nearest thing around it. */
export function offsetOf(document: Document, path: Path, part: 'key' | 'value' = 'value'): number {
  for (let length = path.length; length >= 0; length--) {
    const around = length === 0 ? undefined : nodeAt(document, path.slice(0, length - 1))
    if (part === 'key' && isMap(around)) {
      const pair = around.items.find(
        ({ key }) => isScalar(key) && String(key.value ?? '') === String(path[length - 1]),
      )
      if (isNode(pair?.key) && pair.key.range) return pair.key.range[0]
    }
    const node = nodeAt(document, path.slice(0, length))
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}

const nodeAt = (document: Document, path: Path): unknown =>
  path.length === 0 ? document.contents : document.getIn(path as unknown[], true)
