import { Cart } from './cart.js'
import { receipt } from './receipt.js'

const cart = new Cart().add('Bread', 320, 2).add('Coffee', 899).add('Grinder', 9900)
console.log(receipt(cart).join('\n'))
