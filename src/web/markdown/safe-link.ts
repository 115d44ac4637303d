export interface SafeLink {
  href: string
  /** Where it really leads. */
  host: string
}

/** The address of a link a model wrote, if it is a web page; any other scheme is no link. */
export function safeLink(url: string): SafeLink | undefined {
  try {
    const { protocol, href, host, username, password } = new URL(url)
    if ((protocol !== 'https:' && protocol !== 'http:') || username || password) return undefined
    return { href, host }
  } catch {
    return undefined
  }
}
