/**
 * An immutable list of things that each count for some number of places (usually one). Adding, changing and finding by
 * index or by place cost the logarithm of its length; older versions stay as they were.
 */
export interface Sequence<T> {
  readonly length: number
  /** The sum of what its things count for. */
  readonly weight: number
  readonly root: Node<T> | null
  readonly weigh: (item: T) => number
}

interface Node<T> {
  /** Levels below this one; the items of a node of height 0 are things, of any other nodes. */
  readonly height: number
  readonly weight: number
  readonly items: readonly (T | Node<T>)[]
}

const BITS = 5
const WIDTH = 1 << BITS

export const emptySequence = <T>(weigh: (item: T) => number = () => 1): Sequence<T> => ({
  length: 0,
  weight: 0,
  root: null,
  weigh,
})

export function push<T>(list: Sequence<T>, item: T): Sequence<T> {
  const { length, weigh } = list
  let root: Node<T> = list.root ?? { height: 0, weight: 0, items: [] }
  if (length === WIDTH ** (root.height + 1)) {
    root = { height: root.height + 1, weight: root.weight, items: [root] }
  }
  return sequence(put(root, length, item, weigh), length + 1, weigh)
}

/** `list` with another thing in a place that is taken. */
export function setAt<T>(list: Sequence<T>, index: number, item: T): Sequence<T> {
  if (!list.root || index < 0 || index >= list.length) throw new RangeError(`${index} of ${list.length}`)
  return sequence(put(list.root, index, item, list.weigh), list.length, list.weigh)
}

export function getAt<T>(list: Sequence<T>, index: number): T | undefined {
  if (!list.root || index < 0 || index >= list.length) return undefined
  let node = list.root
  while (node.height > 0) node = node.items[slotOf(node, index)] as Node<T>
  return node.items[index & (WIDTH - 1)] as T
}

/** The thing that covers a place, with its index and how far into it the place is. */
export function locate<T>(
  list: Sequence<T>,
  place: number,
): { item: T; index: number; offset: number } | undefined {
  if (!list.root || place < 0 || place >= list.weight) return undefined
  let node = list.root
  let index = 0
  let offset = place
  for (;;) {
    let slot = 0
    for (; slot < node.items.length; slot++) {
      const weight = weightOf(node, node.items[slot] as T | Node<T>, list.weigh)
      if (offset < weight) break
      offset -= weight
    }
    index = index * WIDTH + slot
    const found = node.items[slot]
    if (node.height === 0) return { item: found as T, index, offset }
    node = found as Node<T>
  }
}

export function* iterate<T>(list: Sequence<T>, from = 0, to = list.length): Generator<T> {
  for (let index = Math.max(0, from); index < Math.min(to, list.length); index++) {
    yield getAt(list, index) as T
  }
}

export const sequenceOf = <T>(items: Iterable<T>, weigh?: (item: T) => number): Sequence<T> => {
  let list = emptySequence(weigh)
  for (const item of items) list = push(list, item)
  return list
}

const sequence = <T>(root: Node<T>, length: number, weigh: (item: T) => number): Sequence<T> => ({
  length,
  weight: root.weight,
  root,
  weigh,
})

const slotOf = (node: Node<unknown>, index: number): number => (index >>> (node.height * BITS)) & (WIDTH - 1)

const weightOf = <T>(parent: Node<T>, item: T | Node<T>, weigh: (item: T) => number): number =>
  parent.height === 0 ? weigh(item as T) : (item as Node<T>).weight

function put<T>(node: Node<T>, index: number, item: T, weigh: (item: T) => number): Node<T> {
  const slot = slotOf(node, index)
  const old = node.items[slot]
  let next: T | Node<T> = item
  if (node.height > 0) {
    const below = (old as Node<T> | undefined) ?? { height: node.height - 1, weight: 0, items: [] }
    next = put(below, index, item, weigh)
  }
  const items = node.items.slice()
  items[slot] = next
  const before = old === undefined ? 0 : weightOf(node, old, weigh)
  return { height: node.height, weight: node.weight - before + weightOf(node, next, weigh), items }
}
