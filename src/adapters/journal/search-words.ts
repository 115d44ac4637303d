/** The parts of what a person typed that can match something; the last one may be unfinished. */
export function searchWords(typed: string): string[] {
  return typed
    .split(/[\s\0]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, MAX_WORDS)
}

/** Quoted, so that nothing a person types is FTS5 syntax. */
export function toFtsQuery(words: string[]): string {
  return `${words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ')}*`
}

const MAX_WORDS = 32
