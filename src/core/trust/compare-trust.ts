/** A file with a say, by what it says. */
export interface HashedFile {
  /** From the folder; starts with `../` above it. */
  path: string
  sha256: string
}

export interface TrustGap {
  path: string
  sha256: string
  why: 'new' | 'changed'
}

/** What a person has not agreed to yet. A file that is gone says nothing any more, so it needs no agreement. */
export function findTrustGaps(
  trusted: Readonly<Record<string, string>>,
  found: readonly HashedFile[],
): TrustGap[] {
  return found.flatMap(({ path, sha256 }): TrustGap[] => {
    const known = Object.hasOwn(trusted, path) ? trusted[path] : undefined
    if (known === sha256) return []
    return [{ path, sha256, why: known === undefined ? 'new' : 'changed' }]
  })
}
