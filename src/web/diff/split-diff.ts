/** A diff of several files as one for each, by path. What stands below them, such as where it was cut, is `rest`. */
export function splitDiff(text: string): { files: ReadonlyMap<string, string>; rest: string } {
  const files = new Map<string, string>()
  const [before = '', ...parts] = text.split(/^diff --git (?=["a])/m)
  let rest = before
  for (const part of parts) {
    const end = part.indexOf('\n')
    const own = part.slice(end + 1)
    // Only the last can have something below it.
    const below = /^(?:\[cut: |(?:new|modified|deleted) ").*/ms.exec(own)?.[0] ?? ''
    rest += below
    files.set(pathIn(part.slice(0, end)), hunksOf(own.slice(0, own.length - below.length)))
  }
  return { files, rest }
}

/** `a/x b/x`: the same name twice, quoted where it has unusual characters. */
function pathIn(names: string): string {
  const half = names.slice(0, (names.length - 1) / 2)
  return half.startsWith('"') ? unquote(half.slice(1, -1)).slice(2) : half.slice(2)
}

/** As Git quotes: octal bytes of UTF-8, and the usual letters. */
function unquote(quoted: string): string {
  const bytes: number[] = []
  const encoder = new TextEncoder()
  for (const [, octal, letter, plain = ''] of quoted.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8))
    else bytes.push(...encoder.encode(letter === undefined ? plain : (letters[letter] ?? letter)))
  }
  return new TextDecoder().decode(new Uint8Array(bytes))
}

const letters: Record<string, string> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
}

/** Without the names above the first change: whoever shows it says which file it is. */
function hunksOf(text: string): string {
  const at = text.search(/^@@ /m)
  return at === -1 ? text : text.slice(at)
}
