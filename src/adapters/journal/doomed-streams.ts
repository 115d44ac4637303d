import type { StreamId } from '../../schema/ids.ts'

export interface Links {
  childrenOf(stream: StreamId): StreamId[]
  parentsOf(stream: StreamId): StreamId[]
}

/** The stream and all that lives only through it: whatever a surviving stream links to survives with it. */
export function doomedStreams(root: StreamId, links: Links): Set<StreamId> {
  const doomed = new Set<StreamId>([root])
  // A Set iterates over what is added on the way.
  for (const stream of doomed) for (const child of links.childrenOf(stream)) doomed.add(child)

  const spare = (stream: StreamId): void => {
    if (stream === root || !doomed.delete(stream)) return
    for (const child of links.childrenOf(stream)) spare(child)
  }
  for (const stream of doomed) {
    if (links.parentsOf(stream).some((parent) => !doomed.has(parent))) spare(stream)
  }
  return doomed
}
