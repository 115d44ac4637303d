import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Readable } from 'node:stream'
import type { Web, WebPage } from '../../ports/web.ts'
import { type HostRules, listsAddress, plainHost, refuseHost } from './allowed-host.ts'
import { isPrivateAddress } from './private-address.ts'

export interface HttpWebOptions extends HostRules {
  version: string
  /** Finds the addresses of a name; the system's resolver when absent. */
  resolve?: (host: string) => Promise<string[]>
  timeout_ms?: number
  longest_bytes?: number
}

const MOST_REDIRECTS = 5
const LONGEST_URL = 4_000
const TIMEOUT_MS = 30_000
const LONGEST_BYTES = 5_000_000

/**
 * Reads pages of allowed hosts with plain GETs: no cookies, no credentials, no proxy. A name is looked up once and the
 * connection goes to the very address that was checked, so it cannot point elsewhere between the two.
 */
export function httpWeb(options: HttpWebOptions): Web {
  return {
    async get(url, signal) {
      const { timeout_ms = TIMEOUT_MS } = options
      const deadline = AbortSignal.timeout(timeout_ms)
      try {
        return await follow(url, { ...options, signal: AbortSignal.any([signal, deadline]) })
      } catch (error) {
        if (error instanceof Refused) return { refused: error.message }
        if (signal.aborted) return { refused: 'the fetch was cancelled' }
        if (deadline.aborted) return { refused: `${url} did not answer completely within ${timeout_ms} ms` }
        return { refused: `${url} could not be read: ${(error as Error).message}` }
      }
    },
  }
}

class Refused extends Error {
  override readonly name = 'Refused'
}

type Context = HttpWebOptions & { signal: AbortSignal }

async function follow(start: string, context: Context): Promise<WebPage> {
  let url = readUrl(start)
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const refusal = refuseHost(context, url)
    if (refusal) throw new Refused(redirects === 0 ? refusal : `it redirects to ${url.href}, and ${refusal}`)
    const address = await checkedAddress(url, context)
    const response = await request(url, address, context)
    const { location } = response.headers
    if (!isRedirect(response) || location === undefined) return readPage(url, response, context)
    response.destroy()
    if (!URL.canParse(location, url.href))
      throw new Refused(`${url.href} redirects to an address that is none`)
    url = readUrl(new URL(location, url).href)
  }
  throw new Refused(`${start} redirects more than ${MOST_REDIRECTS} times`)
}

function readUrl(text: string): URL {
  if (text.length > LONGEST_URL) throw new Refused(`the address has more than ${LONGEST_URL} characters`)
  const url = URL.parse(text)
  if (!url) throw new Refused(`${text} is not an address; give it in full, as in https://example.org/page`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Refused(`only http and https can be fetched, not ${url.protocol}`)
  }
  if (url.username || url.password) throw new Refused('an address with a name or password is not fetched')
  return url
}

async function checkedAddress({ hostname }: URL, context: Context): Promise<string> {
  const host = plainHost(hostname)
  const { resolve = lookUp, signal } = context
  const addresses = isIP(host) ? [host] : await within(signal, resolve(host))
  const hidden = addresses.find((address) => isPrivateAddress(address) && !listsAddress(context, address))
  if (hidden !== undefined) {
    throw new Refused(
      `${host} leads to the private address ${hidden}, which web_fetch.allow of the config does not list`,
    )
  }
  const [address] = addresses
  if (address === undefined) throw new Refused(`${host} has no address`)
  return address
}

async function lookUp(host: string): Promise<string[]> {
  const { lookup } = await import('node:dns/promises')
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

function request(url: URL, address: string, { signal, version }: Context): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:'
  // Importing these as modules would load all of fetch.
  const { get } = secure ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http')
  const host = plainHost(url.hostname)
  return new Promise((resolve, reject) => {
    get(
      {
        host: address,
        port: url.port || (secure ? 443 : 80),
        path: url.pathname + url.search,
        ...(secure && !isIP(host) && { servername: host }),
        headers: {
          host: url.host,
          'user-agent': `conclave/${version}`,
          accept: 'text/html, text/*;q=0.9, application/json;q=0.8',
          'accept-encoding': 'gzip, br',
        },
        agent: false,
        signal,
      },
      resolve,
    ).on('error', reject)
  })
}

const isRedirect = ({ statusCode }: IncomingMessage): boolean =>
  [301, 302, 303, 307, 308].includes(statusCode ?? 0)

async function readPage(url: URL, response: IncomingMessage, context: Context): Promise<WebPage> {
  const header = response.headers['content-type'] ?? ''
  const content_type = (header.split(';', 1)[0] ?? '').trim().toLowerCase()
  if (!isText(content_type)) {
    response.destroy()
    throw new Refused(`${url.href} is ${content_type}, and only text can be read`)
  }
  const { bytes, cut } = await readBody(response, context.longest_bytes ?? LONGEST_BYTES)
  if (bytes.includes(0)) throw new Refused(`${url.href} is not text`)
  const text = decoderFor(header).decode(bytes)
  return { url: url.href, status: response.statusCode ?? 0, content_type, text, cut }
}

const isText = (type: string): boolean =>
  type === '' ||
  type.startsWith('text/') ||
  ['application/json', 'application/xml', 'application/javascript'].includes(type) ||
  type.endsWith('+json') ||
  type.endsWith('+xml')

/** Measured after unpacking: a small answer can hold a large one. */
async function readBody(
  response: IncomingMessage,
  longest: number,
): Promise<{ bytes: Buffer; cut: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of await unpack(response)) {
      chunks.push((chunk as Buffer).subarray(0, longest - size))
      size += (chunk as Buffer).length
      if (size > longest) return { bytes: Buffer.concat(chunks), cut: true }
    }
  } finally {
    response.destroy()
  }
  return { bytes: Buffer.concat(chunks), cut: false }
}

async function unpack(response: IncomingMessage): Promise<Readable> {
  const coding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (coding === 'identity' || coding === '') return response
  const { createBrotliDecompress, createUnzip } = await import('node:zlib')
  if (coding !== 'br' && coding !== 'gzip')
    throw new Refused(`it is packed as ${coding}, which was not asked for`)
  const unpacked = coding === 'br' ? createBrotliDecompress() : createUnzip()
  response.on('error', (error) => unpacked.destroy(error))
  return response.pipe(unpacked)
}

function decoderFor(header: string) {
  const label = /charset="?([\w.:-]{1,40})/i.exec(header)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}

async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const cut = Promise.withResolvers<never>()
  const abort = () => cut.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, cut.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
