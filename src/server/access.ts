import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Who may talk to the server: whoever has the token, and the page that was opened with it. */
export class Access {
  /** Printed once; carried by `Authorization: Bearer` or, for a page, once in its address. */
  readonly token: string
  readonly cookieName: string
  /** Made from the token, which is in no cookie: so a page goes on when a server starts again with the same one. */
  readonly #cookie: string

  constructor(port: number, token = randomBytes(32).toString('base64url')) {
    this.token = token
    // Cookies are shared by all ports of a host.
    this.cookieName = `conclave_${port}`
    this.#cookie = createHmac('sha256', token).update(this.cookieName).digest('base64url')
  }

  allows(headers: { authorization?: string; cookie?: string }): boolean {
    const bearer = /^Bearer ([\w-]{1,200})$/.exec(headers.authorization ?? '')?.[1]
    if (bearer !== undefined) return this.knowsToken(bearer)
    const given = this.#cookieIn(headers.cookie ?? '')
    return given !== undefined && isSame(given, this.#cookie)
  }

  knowsToken(token: string): boolean {
    return isSame(token, this.token)
  }

  /** What a page that was opened with the token gets instead of it. */
  setCookie(): string {
    return `${this.cookieName}=${this.#cookie}; Path=/; HttpOnly; SameSite=Strict`
  }

  #cookieIn(header: string): string | undefined {
    for (const part of header.split(';')) {
      const [name, value] = part.trim().split('=', 2)
      if (name === this.cookieName && value) return value
    }
    return undefined
  }
}

const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
