/** An immutable map from strings: setting and getting cost the logarithm of its size, older versions stay as they were. */
export interface Keyed<T> {
  readonly size: number
  readonly root: Branch<T> | null
}

type Leaf<T> = { readonly key: string; readonly value: T }
type Slot<T> = Branch<T> | readonly Leaf<T>[]
interface Branch<T> {
  readonly slots: readonly (Slot<T> | undefined)[]
}

const BITS = 5
const WIDTH = 1 << BITS
/** Where the hash is used up: keys that still share a slot are kept side by side. */
const DEEPEST = 6

export const noKeys: Keyed<never> = { size: 0, root: null }

export function getKey<T>(map: Keyed<T>, key: string): T | undefined {
  const hash = hashOf(key)
  let slot: Slot<T> | undefined = map.root ?? undefined
  for (let depth = 0; slot && isBranch(slot); depth++) slot = slot.slots[slotOf(hash, depth)]
  return slot?.find((leaf) => leaf.key === key)?.value
}

export function setKey<T>(map: Keyed<T>, key: string, value: T): Keyed<T> {
  const known = getKey(map, key) !== undefined
  const root = put(map.root ?? { slots: [] }, { key, value }, hashOf(key), 0)
  return { size: map.size + (known ? 0 : 1), root }
}

export function* values<T>(map: Keyed<T>): Generator<T> {
  if (map.root) yield* walk(map.root)
}

function* walk<T>(slot: Slot<T>): Generator<T> {
  if (!isBranch(slot)) for (const { value } of slot) yield value
  else for (const below of slot.slots) if (below) yield* walk(below)
}

const isBranch = <T>(slot: Slot<T>): slot is Branch<T> => 'slots' in slot

const slotOf = (hash: number, depth: number): number => (hash >>> (depth * BITS)) & (WIDTH - 1)

function put<T>(branch: Branch<T>, leaf: Leaf<T>, hash: number, depth: number): Branch<T> {
  const place = slotOf(hash, depth)
  const slots = branch.slots.slice()
  slots[place] = putInto(slots[place], leaf, hash, depth + 1)
  return { slots }
}

function putInto<T>(slot: Slot<T> | undefined, leaf: Leaf<T>, hash: number, depth: number): Slot<T> {
  if (!slot) return [leaf]
  if (isBranch(slot)) return put(slot, leaf, hash, depth)
  const others = slot.filter(({ key }) => key !== leaf.key)
  if (others.length === 0 || depth > DEEPEST) return [...others, leaf]
  const spread = others.reduce<Branch<T>>((branch, other) => put(branch, other, hashOf(other.key), depth), {
    slots: [],
  })
  return put(spread, leaf, hash, depth)
}

/** FNV-1a. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
