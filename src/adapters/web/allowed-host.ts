import { fits } from '../../core/glob.ts'

export interface HostRules {
  allow: readonly string[]
  deny: readonly string[]
}

/** Why a host may not be visited, if so. A pattern with a port is for that port only. */
export function refuseHost(
  { allow, deny }: HostRules,
  { hostname, port, protocol }: URL,
): string | undefined {
  const host = plainHost(hostname)
  const withPort = `${host}:${port || (protocol === 'https:' ? '443' : '80')}`
  const listed = (patterns: readonly string[]) =>
    patterns
      .map((pattern) => pattern.toLowerCase())
      .some((pattern) => fits(pattern, host) || fits(pattern, withPort))
  if (listed(deny)) return `web_fetch.deny of the config forbids ${host}`
  if (listed(allow)) return undefined
  return `${host} is not in web_fetch.allow of the config; ask the person to add it if it is needed`
}

/** A private address counts as meant only when it is listed itself: a name could lead there at any time. */
export const listsAddress = ({ allow }: HostRules, address: string): boolean =>
  allow.some((pattern) => pattern === address || pattern.startsWith(`${address}:`))

/** As it stands in rules: no brackets, no final dot. */
export const plainHost = (hostname: string): string =>
  hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
