import { discountFor } from './discount.js'
import { calcTotal } from './total.js'

export class Cart {
  #lines = []

  add(name, price, quantity = 1) {
    this.#lines.push({ name, price, quantity })
    return this
  }

  get lines() {
    return [...this.#lines]
  }

  /** What has to be paid: calcTotal minus the discount. */
  due() {
    return calcTotal(this.#lines) - discountFor(this.#lines)
  }
}
