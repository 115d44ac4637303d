/** A config that is refused is shown to the person who wrote it, and in their logs: without the keys that stand in it. */
export const hideKeys = (source: string): string => source.replaceAll(written, '$1[key]')

const written = /((?:^|[\s{,"'])(?:[\w-]*api[_-]?key|authorization|cookie)["']?[ \t]*:[ \t]*)(?!\[key\])[^\n,}]+/gi
