const digits = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * An id that sorts by time: nine characters of milliseconds, then nine of chance. It is a name, not a secret, so it does
 * without the crypto library, which would cost a tenth of the start.
 */
export function newId<P extends string>(prefix: P, now: number): `${P}_${string}` {
  let time = ''
  for (let rest = now, place = 0; place < 9; place++) {
    time = digits[rest % 32] + time
    rest = Math.floor(rest / 32)
  }
  const chance = Array.from({ length: 9 }, () => digits[Math.floor(Math.random() * 32)]).join('')
  return `${prefix}_${time}${chance}`
}
