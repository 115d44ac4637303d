/** A config that is refused is shown to the person who wrote it, and lands in their logs: without the keys in it. */
export function hideKeys(source: string): string {
  return source.replaceAll(literal, '$1[key]').replaceAll(misplaced, '$1 [key]')
}

const literal = /((?:^|[\s{,"'])(?:[\w-]*api[_-]?key|authorization|cookie)["']?[ \t]*:[ \t]*)[^\n,}]+/gi
/** A key where the name of its variable belongs. */
const misplaced = /(api_key_env["']?[ \t]*:)(?![ \t]*["']?[A-Za-z_]\w*["']?[ \t]*(?:[\r\n,}#]|$))[^\n,}]+/g
