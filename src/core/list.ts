/** An immutable list that grows at its end in constant time; an older list is a tail of every newer one. */
export type List<T> = null | { readonly last: T; readonly before: List<T>; readonly length: number }

export const append = <T>(list: List<T>, last: T): List<T> => ({
  last,
  before: list,
  length: lengthOf(list) + 1,
})

export const lengthOf = (list: List<unknown>): number => (list === null ? 0 : list.length)

/** The items after the first `from`, oldest first. Costs only what it returns. */
export function itemsFrom<T>(list: List<T>, from: number): T[] {
  const count = Math.max(0, lengthOf(list) - from)
  const items = Array.from<T>({ length: count })
  for (let node = list, index = count - 1; node !== null && index >= 0; node = node.before, index--) {
    items[index] = node.last
  }
  return items
}

export const toArray = <T>(list: List<T>): T[] => itemsFrom(list, 0)
