/**
 * Heights of a growing list of rows, of which most were never drawn. Sums and searches cost O(log n), so a chat of
 * 100,000 messages scrolls like one of ten.
 */
export class Heights {
  readonly #guess: number
  /** A Fenwick tree over the rows' heights; index 0 is unused. */
  #tree: Float64Array
  #heights: Float64Array
  #count = 0

  constructor(guess: number) {
    this.#guess = guess
    this.#tree = new Float64Array(64)
    this.#heights = new Float64Array(64)
  }

  get count(): number {
    return this.#count
  }

  get total(): number {
    return this.before(this.#count)
  }

  /** Rows are added at the end; with fewer than there were, all are measured anew. */
  resize(count: number): void {
    if (count < this.#count) {
      this.#count = 0
      this.#tree.fill(0)
    }
    if (count + 1 > this.#tree.length) this.#grow(count + 1)
    for (let row = this.#count; row < count; row++) this.#append(row)
    this.#count = count
  }

  /** Rows appeared before (or, below zero, vanished before) this one: the others keep their heights. */
  shift(row: number, by: number): void {
    const kept = this.#heights.slice(0, this.#count)
    const before = Math.max(0, by < 0 ? row + by : row)
    const rows = [
      ...kept.slice(0, before),
      ...Array<number>(Math.max(0, by)).fill(this.#guess),
      ...kept.slice(row),
    ]
    this.resize(0)
    this.resize(rows.length)
    for (const [index, height] of rows.entries()) if (height !== this.#guess) this.set(index, height)
  }

  get(row: number): number {
    return this.#heights[row] ?? 0
  }

  set(row: number, height: number): void {
    const change = height - this.get(row)
    this.#heights[row] = height
    for (let at = row + 1; at <= this.#count; at += at & -at) this.#tree[at] = (this.#tree[at] ?? 0) + change
  }

  /** The height of all rows before this one. */
  before(row: number): number {
    let sum = 0
    for (let at = Math.min(row, this.#count); at > 0; at -= at & -at) sum += this.#tree[at] ?? 0
    return sum
  }

  /** The row that covers this offset. */
  rowAt(offset: number): number {
    let row = 0
    let left = offset
    for (let step = highestBit(this.#count); step > 0; step >>= 1) {
      const next = row + step
      const height = this.#tree[next] ?? 0
      if (next <= this.#count && height <= left) {
        row = next
        left -= height
      }
    }
    return Math.min(row, Math.max(0, this.#count - 1))
  }

  #append(row: number): void {
    this.#heights[row] = this.#guess
    const at = row + 1
    let sum = this.#guess
    for (let child = at - 1; child > at - (at & -at); child -= child & -child) sum += this.#tree[child] ?? 0
    this.#tree[at] = sum
  }

  #grow(needed: number): void {
    const size = Math.max(needed, this.#tree.length * 2)
    const tree = new Float64Array(size)
    const heights = new Float64Array(size)
    tree.set(this.#tree)
    heights.set(this.#heights)
    this.#tree = tree
    this.#heights = heights
  }
}

const highestBit = (count: number): number => (count === 0 ? 0 : 2 ** Math.floor(Math.log2(count)))
