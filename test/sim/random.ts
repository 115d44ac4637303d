/** Numbers that look like chance and are the same for the same seed. */
export interface Random {
  /** From 0 to below 1. */
  next(): number
  /** From `least` to `most`, both included. */
  between(least: number, most: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** An independent source: what is drawn from one does not move the other. */
  fork(name: string): Random
}

export function randomOf(...names: (string | number)[]): Random {
  const origin = hash(names.join('/'))
  let state = origin
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const random: Random = {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (probability) => next() < probability,
    pick<T>(items: readonly T[]): T {
      const item = items[Math.floor(next() * items.length)]
      if (item === undefined) throw new Error('there is nothing to pick from')
      return item
    },
    fork: (name) => randomOf(origin, name),
  }
  return random
}

/** FNV-1a. */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}
