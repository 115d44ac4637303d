/** Who decided, as this terminal says it; undefined when that was its own person, which needs no mention. */
export function byWhom(by: string | undefined): string | undefined {
  switch (by) {
    case undefined:
    case 'terminal':
      return undefined
    case 'web':
      return 'you, in the browser,'
    default:
      return by
  }
}
