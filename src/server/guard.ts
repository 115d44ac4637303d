import type { MiddlewareHandler } from 'hono'
import type { Access } from './access.ts'

/** The one route that everybody may ask. */
export const OPEN_ROUTE = '/api/health'

export interface GuardOptions {
  access: Access
  /** Values of `Host` that are ours. A page of another name that resolves to us is not. */
  hosts: ReadonlySet<string>
}

/** Stands before every route, those that do not exist included. */
export function guard({ access, hosts }: GuardOptions): MiddlewareHandler {
  return async (context, next) => {
    for (const [name, value] of Object.entries(safeHeaders)) context.header(name, value)
    const header = (name: string): string | undefined => context.req.header(name)
    const refuse = (error: string) => context.json({ error }, 403)

    const host = header('host')?.toLowerCase() ?? ''
    if (!hosts.has(host)) return refuse(`this server is not ${JSON.stringify(host)}`)
    const origin = header('origin')
    if (origin !== undefined && origin.toLowerCase() !== `http://${host}`)
      return refuse('requests from other pages are refused')
    const site = header('sec-fetch-site')
    if (site !== undefined && site !== 'same-origin' && site !== 'none')
      return refuse('requests from other pages are refused')
    if (header('upgrade') !== undefined) return refuse('there are no WebSockets here')

    const { method, path } = context.req
    if (path === OPEN_ROUTE && method === 'GET') return next()
    const entering = method === 'GET' && path === '/' ? context.req.query('token') : undefined
    const allowed = access.allows({ authorization: header('authorization'), cookie: header('cookie') })
    if (!allowed && !(entering && access.knowsToken(entering))) {
      const error = 'not allowed: open the address that conclave serve printed, or send its token'
      // A person reads the one, programs the others.
      return path === '/' ? context.text(`${error}\n`, 401) : context.json({ error }, 401)
    }
    if (method !== 'GET' && !isJson(header('content-type'))) return refuse('only application/json is taken')
    return next()
  }
}

const isJson = (type: string | undefined): boolean =>
  /^application\/json\s*(;\s*charset=utf-8\s*)?$/i.test(type ?? '')

/** Nothing runs that is not a file of ours, nothing is loaded from elsewhere, nobody frames or guesses. */
export const safeHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
} as const
