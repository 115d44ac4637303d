export interface Token {
  kind: 'plain' | 'comment' | 'string' | 'number' | 'keyword' | 'added' | 'removed' | 'place'
  text: string
}

/** Enough colour to find one's way in any language: comments, strings, numbers and common keywords. */
export function highlight(text: string, language: string): Token[] {
  if (text.length > longest) return [{ kind: 'plain', text }]
  return /^(diff|patch)$/i.test(language) ? diffTokens(text) : codeTokens(text, hashComments.test(language))
}

const longest = 60_000

const hashComments =
  /^(py|python|sh|bash|zsh|shell|yaml|yml|toml|ruby|rb|r|make|makefile|dockerfile|perl|console)$/i

const keywords = new Set(
  (
    'abstract and as async await bool boolean break case catch char class const constructor continue def default del ' +
    'delete do double elif else enum export extends false final finally float fn for from func function global go ' +
    'if impl implements import in instanceof int interface is lambda let long match mod mut namespace new nil none ' +
    'not null number of or package pass private protected pub public raise readonly return self short static string ' +
    'struct super switch then this throw trait true try type typeof undefined union unsafe use var void where while ' +
    'with yield'
  ).split(' '),
)

// Every alternative consumes what it begins with, and none can give characters back to another.
const pieces =
  /(?<block>\/\*[^]*?(?:\*\/|$))|(?<line>\/\/[^\n]*)|(?<hash>#[^\n]*)|(?<string>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\[^])*`?)|(?<number>\b\d[\w.]*)|(?<word>[\p{L}_$][\p{L}\p{N}_$]*)/gu

function codeTokens(text: string, hash: boolean): Token[] {
  const tokens: Token[] = []
  let done = 0
  for (const match of text.matchAll(pieces)) {
    const kind = kindOf(match.groups ?? {}, hash)
    if (kind === 'plain') continue
    if (match.index > done) tokens.push({ kind: 'plain', text: text.slice(done, match.index) })
    tokens.push({ kind, text: match[0] })
    done = match.index + match[0].length
  }
  if (done < text.length) tokens.push({ kind: 'plain', text: text.slice(done) })
  return tokens
}

function kindOf(groups: Record<string, string | undefined>, hash: boolean): Token['kind'] {
  if (groups['block'] !== undefined || (groups['line'] !== undefined && !hash)) return 'comment'
  if (groups['hash'] !== undefined && hash) return 'comment'
  if (groups['string'] !== undefined) return 'string'
  if (groups['number'] !== undefined) return 'number'
  return groups['word'] !== undefined && keywords.has(groups['word']) ? 'keyword' : 'plain'
}

function diffTokens(text: string): Token[] {
  return text.split(/(?<=\n)/).map((line) => ({ kind: diffKind(line), text: line }))
}

function diffKind(line: string): Token['kind'] {
  if (line.startsWith('@@') || line.startsWith('+++') || line.startsWith('---')) return 'place'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'removed' : 'plain'
}
