import type { EngineApi } from './engine-api.ts'
import { removeContainer } from './container.ts'
import { type Owner, isGone, parseOwner, thisProcess } from './owner.ts'

const AGENT = 'conclave.agent'
const RUN = 'conclave.run'
const OWNER = 'conclave.owner'
const WRITABLE = 'conclave.writable'

export interface Labelled {
  id: string
  agent: string
  owner: Owner | undefined
  writable: string[]
}

/** By these a container is known again, also by another process after ours was killed. */
export function makeLabels(order: {
  key: string
  run?: string
  writable: readonly string[]
}): Record<string, string> {
  return {
    [AGENT]: order.key,
    ...(order.run !== undefined && { [RUN]: order.run }),
    [OWNER]: JSON.stringify(thisProcess()),
    [WRITABLE]: JSON.stringify(order.writable),
  }
}

/** All containers of ours on this daemon, of all processes, running or not. */
export async function listLabelled(api: EngineApi): Promise<Labelled[]> {
  const filters = encodeURIComponent(JSON.stringify({ label: [OWNER] }))
  const found = await api.call('GET', `/containers/json?all=1&filters=${filters}`)
  return (found as { Id: string; Labels: Record<string, string> }[]).map(({ Id, Labels }) => ({
    id: Id,
    agent: Labels[AGENT] ?? '',
    owner: parseOwner(Labels[OWNER]),
    writable: parsePaths(Labels[WRITABLE]),
  }))
}

/** Removes the containers whose process is no more; tells how many. */
export async function sweep(api: EngineApi): Promise<number> {
  const left = (await listLabelled(api)).filter(({ owner }) => owner && isGone(owner))
  await Promise.all(left.map(({ id }) => removeContainer(api, id)))
  return left.length
}

function parsePaths(text: string | undefined): string[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter((path) => typeof path === 'string') : []
  } catch {
    return []
  }
}
