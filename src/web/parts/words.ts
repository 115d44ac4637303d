/** Durations as people read them: 0.03 s, 8.4 s, 2 min 5 s. */
export function duration(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(ms < 1000 ? 2 : 1)} s`
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Unknown is not free. */
export const money = (usd: number | undefined): string =>
  usd === undefined ? 'cost unknown' : `$${usd.toFixed(2)}`

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

export const fileSize = (bytes: number): string =>
  bytes < 1e3
    ? `${bytes} B`
    : bytes < 1e6
      ? `${Math.round(bytes / 1e3)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`

export const clockTime = (at: string): string => {
  const date = new Date(at)
  return Number.isNaN(date.getTime())
    ? ''
    : date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
}

/** How long ago, in a word or two. */
export function ago(at: string, now: number): string {
  const minutes = Math.floor((now - new Date(at).getTime()) / 60_000)
  if (!(minutes >= 1)) return 'now'
  if (minutes < 60) return `${minutes} min`
  if (minutes < 60 * 24) return `${Math.floor(minutes / 60)} h`
  return `${Math.floor(minutes / 60 / 24)} d`
}

/** The last part of a path, which is how people call a folder. */
export const folderName = (path: string): string =>
  path.split(/[/\\]/).findLast((part) => part !== '') ?? path
