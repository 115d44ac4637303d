import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Who may talk to the server: whoever has the token, and the page that was opened with it. */
export class Access {
  /** Printed once; carried by `Authorization: Bearer` or, for a page, once in its address. */
  readonly token: string
  readonly cookieName: string
  readonly #token: Buffer
  /** Of pages that were opened with the token. The token itself is in no cookie. */
  readonly #sessions: Buffer[] = []

  constructor(port: number, token = randomBytes(32).toString('base64url')) {
    this.token = token
    // Cookies are shared by all ports of a host.
    this.cookieName = `conclave_${port}`
    this.#token = digest(token)
  }

  allows(headers: { authorization?: string; cookie?: string }): boolean {
    const bearer = /^Bearer ([\w-]{1,200})$/.exec(headers.authorization ?? '')?.[1]
    if (bearer !== undefined) return this.knowsToken(bearer)
    const given = this.#cookieIn(headers.cookie ?? '')
    if (given === undefined) return false
    const hashed = digest(given)
    return this.#sessions.some((session) => timingSafeEqual(session, hashed))
  }

  knowsToken(token: string): boolean {
    return timingSafeEqual(digest(token), this.#token)
  }

  /** A cookie for a page that was opened with the token. */
  openSession(): string {
    const session = randomBytes(32).toString('base64url')
    this.#sessions.push(digest(session))
    if (this.#sessions.length > MOST_SESSIONS) this.#sessions.shift()
    return `${this.cookieName}=${session}; Path=/; HttpOnly; SameSite=Strict`
  }

  #cookieIn(header: string): string | undefined {
    for (const part of header.split(';')) {
      const [name, value] = part.trim().split('=', 2)
      if (name === this.cookieName && value) return value
    }
    return undefined
  }
}

const MOST_SESSIONS = 100

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
