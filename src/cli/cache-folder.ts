/** Where things are kept that can be made again; nowhere when there is no home. */
export function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME, HOME } = process.env
  if (XDG_CACHE_HOME) return `${XDG_CACHE_HOME}/conclave`
  return HOME && `${HOME}/.cache/conclave`
}
