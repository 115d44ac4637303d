import { isIdentifier, isPlainWord } from './identifier.ts'
import type { Intent, Prompt } from './intent.ts'
import { isFileName } from './language.ts'
import { scopeIn } from './scope.ts'
import type { Word } from './words.ts'

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const fillers = setOf(
  'the a an all any every each usage usages use uses used occurrence occurrences reference references instance instances call calls callers caller mention mentions of to for function method class variable constant const type interface struct enum symbol identifier property field component hook selector macro func our my named called is are was in code please and explain find list show me where definition definitions defined',
)

const asksForUses =
  /\b(?:usages?|uses|occurrences|references|callers|mentions|call sites)\s+(?:of|to|for)\b|\bwhere(?:'s| is| are| do we| does)\b.{1,120}\b(?:used|called|defined|declared|referenced|imported|use|call|live)\b|\b(?:who|what|which \w+)\s+(?:calls|uses|references|imports|call|use)\b|\bhow is\b.{1,120}\bused\b|^(?:find|search(?: for)?|grep(?: for)?|locate|look (?:up|for))\b/i
const asksWhatItDoes = /^(?:what (?:does|is|are)|explain|describe|show me)\b/i

/** "find usages of X", "where is X defined", "who calls X", "how is X used", "what does X do". */
export function parseUsages({ text, words }: Prompt): Intent | undefined {
  const asks = asksForUses.test(text.slice(0, 400))
  if (!asks && !asksWhatItDoes.test(text)) return undefined
  const name = asks ? nameAsked(words) : words.find(isDistinctName)
  if (!name) return undefined
  const cleaned = nameOf(name)
  if (!isIdentifier(cleaned)) return undefined
  return { kind: 'usages', name: cleaned, scope: scopeIn(words.filter((word) => word !== name)) }
}

/** A quoted name, one that can only be a name, or the first word that is not part of the question. */
function nameAsked(words: readonly Word[]): Word | undefined {
  const candidates = words.filter(
    (word) => word.quoted || !(fillers.has(word.lower) || questionWords.has(word.lower)),
  )
  return (
    candidates.find((word) => word.quoted && isIdentifier(nameOf(word))) ??
    candidates.find(isDistinctName) ??
    candidates[0]
  )
}

const questionWords = setOf(
  "who what which where's what's how do does we search grep locate look up files file places list tell can you from everywhere",
)

const isDistinctName = (word: Word): boolean => {
  const name = nameOf(word)
  return (
    isIdentifier(name) &&
    !isFileName(word.text) &&
    (word.quoted || word.text.endsWith(')') || !isPlainWord(name)) &&
    !name.includes("'")
  )
}

const nameOf = (word: Word): string =>
  word.text
    .trim()
    .replace(/\([^()]*\)[?!]*$/, '')
    .replace(/[?!]+$/, word.quoted ? '$&' : '')
    .replace(/^[.#](?=[\p{L}_-])/u, '')

const asksForSummary =
  /^(?:(?:give|show|write|tell|get) (?:me )?(?:a |an |the )?(?:\w+ )?(?:summary|overview|description|tour|introduction)\b|summari[sz]e|sum up|describe|explain|overview\b|analy[sz]e|explore|inspect|walk me through|tell me about|what(?:'s| is| are)?\b.{0,60}\b(?:in|project|repo|repository|codebase|folder|directory|app|about)\b|what does\b.{1,80}\bdo\b|how (?:is|does|do|are|can)\b.{0,60}\b(?:project|repo|repository|codebase|app|code|structured|organi[sz]ed|run|test|built)\b|a summary of|introduce)/i

/** "summarise src", "what does this project do", "explain this folder". */
export function parseSummary({ text, words }: Prompt): Intent | undefined {
  if (!asksForSummary.test(text.slice(0, 400))) return undefined
  const line = words.filter(
    (word) => word.end <= (text.indexOf('\n') === -1 ? text.length : text.indexOf('\n')),
  )
  if (line.length > 25) return undefined
  const path = folderIn(line)
  if (path !== undefined) return { kind: 'summary', path }
  const isWhole = line.some((word) =>
    /^(?:this|the|project|repo|repository|codebase|folder|directory|app|code|here|everything|workspace|it|\.)[?!]*$/.test(
      word.lower,
    ),
  )
  return isWhole || line.length === 1 ? { kind: 'summary', path: '.' } : undefined
}

function folderIn(words: readonly Word[]): string | undefined {
  const named = words.find(
    (word, at) =>
      at > 0 &&
      (word.quoted ||
        /\//.test(word.text) ||
        isFileName(word.text) ||
        (/^(?:folder|directory|dir|package|module)[?!]*$/.test(words[at + 1]?.lower ?? '') &&
          !generic.has(word.lower))),
  )
  const afterVerb = words[1]
  const bare =
    words.length === 2 && afterVerb && !generic.has(afterVerb.lower.replace(/[?!]+$/, ''))
      ? afterVerb
      : undefined
  const found = (named ?? bare)?.text
    .replace(/[?!]+$/, '')
    .replace(/^\.\//, '')
    .replace(/\/+$/, '')
  return found !== undefined && /^[\w.@~/ -]+$/u.test(found) ? found || '.' : undefined
}

const generic = setOf(
  'this that the my our a an project repo repository codebase code folder directory app everything it here workspace current whole entire about',
)

/** Short greetings only: a longer text wants something. */
export function parseGreeting({ text, words }: Prompt): Intent | undefined {
  const isGreeting =
    /^(?:(?:say|just say)\s+)?["'`]?(?:hello|hi|hey|hallo|hola|bonjour|greetings|good (?:morning|afternoon|evening|day)|howdy|servus|moin|salut|thanks|thank you|ping)\b/i
  return words.length <= 6 && isGreeting.test(text.trim()) ? { kind: 'greeting' } : undefined
}
