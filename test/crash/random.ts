export interface Random {
  /** From 0 up to, but not including, `below`. */
  next(below: number): number
}

/** The same seed gives the same numbers on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return {
    next(below) {
      state = (state + 0x9e3779b9) >>> 0
      let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
      return (((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32) * below
    },
  }
}
