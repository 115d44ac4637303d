import type { Commit, Entry, Hit, Journal } from '../../ports/journal.ts'
import { JournalError, type JournalProblem } from '../../ports/journal.ts'
import { ENVELOPE_VERSION, type DurableEvent } from '../../schema/envelope.ts'
import type { StreamId } from '../../schema/ids.ts'
import { doomedStreams } from './doomed-streams.ts'
import { searchWords } from './search-words.ts'

export interface MemoryJournalOptions {
  /** Shared by journals that are to act as processes over the same file; its own without it. */
  store?: MemoryStore
  /** What the other journals of the store call this one. */
  owner?: string
}

/** What a journal would keep on disk. */
export interface MemoryStore {
  events: Map<StreamId, { at: string; body: string }[]>
  entries: Map<StreamId, Entry>
  texts: { stream: StreamId; at: string; text: string }[]
  links: Map<StreamId, Set<StreamId>>
  owners: Map<StreamId, object & { label: string }>
}

export function createMemoryStore(): MemoryStore {
  return { events: new Map(), entries: new Map(), texts: [], links: new Map(), owners: new Map() }
}

/** A journal that lasts as long as its store: for tests, simulation and runs that shall leave nothing behind. */
export function openMemoryJournal(options: MemoryJournalOptions = {}): Journal {
  const store = options.store ?? createMemoryStore()
  const self = { label: options.owner ?? 'another journal' }
  let closed = false

  function checkOpen(): void {
    if (closed) throw problem('unavailable', 'the journal was closed', 'Open it again.')
  }

  function admit({ stream, after }: Commit): void {
    const owner = store.owners.get(stream)
    const last = store.events.get(stream)?.length ?? 0
    if (owner && owner !== self) throw notOwner(`${stream} belongs to ${owner.label}`)
    if (last !== after) {
      throw problem(
        'conflict',
        `${stream} is at event ${last}, the writer had seen ${after}`,
        'Open the chat again to go on from what is stored.',
      )
    }
    if (!owner && after > 0) throw notOwner(`${stream} was not acquired before writing`)
  }

  return {
    async append(commit) {
      const { stream, at, index } = commit
      const bodies = commit.events.map((event) => JSON.stringify(event))
      checkOpen()
      admit(commit)
      store.owners.set(stream, self)
      const events = store.events.get(stream) ?? []
      for (const body of bodies) events.push({ at, body })
      store.events.set(stream, events)
      mergeEntry(store, commit)
      for (const text of index?.texts ?? []) store.texts.push({ stream, at, text })
      const links = store.links.get(stream) ?? new Set()
      for (const child of index?.links ?? []) links.add(child)
      store.links.set(stream, links)
    },

    async read(stream, after = 0, limit = Infinity) {
      checkOpen()
      return (store.events.get(stream) ?? []).slice(after, after + limit).map(({ at, body }, position) => {
        const event = JSON.parse(body) as DurableEvent
        return { v: ENVELOPE_VERSION, stream, seq: after + 1 + position, at, event }
      })
    },

    async last(stream) {
      checkOpen()
      return store.events.get(stream)?.length ?? 0
    },

    async list(kind) {
      checkOpen()
      return [...store.entries.values()]
        .filter((entry) => entry.kind === kind)
        .sort(latestFirst)
        .map((entry) => ({ ...entry }))
    },

    async entry(stream) {
      checkOpen()
      const entry = store.entries.get(stream)
      return entry && { ...entry }
    },

    async search(typed, limit) {
      checkOpen()
      const words = searchWords(typed).flatMap(tokensOf)
      if (words.length === 0) return []
      const found: { score: number; hit: Hit }[] = []
      for (const { stream, at, text } of store.texts.toReversed()) {
        const score = scoreOf(tokensOf(text), words)
        const title = store.entries.get(stream)?.title ?? ''
        if (score > 0) found.push({ score, hit: { stream, title, excerpt: text.slice(0, 200), at } })
      }
      found.sort((a, b) => b.score - a.score)
      return found.slice(0, limit).map(({ hit }) => hit)
    },

    async remove(stream) {
      checkOpen()
      const doomed = doomedStreams(stream, {
        childrenOf: (parent) => [...(store.links.get(parent) ?? [])],
        parentsOf: (child) => [...store.links].filter(([, all]) => all.has(child)).map(([parent]) => parent),
      })
      for (const each of doomed) {
        const owner = store.owners.get(each)
        if (owner && owner !== self) {
          throw problem('locked', `${each} belongs to ${owner.label}`, 'Close it there, then remove it.')
        }
      }
      for (const each of doomed) erase(store, each)
    },

    async acquire(stream) {
      checkOpen()
      const owner = store.owners.get(stream)
      if (owner && owner !== self) return { acquired: false, owner: owner.label }
      store.owners.set(stream, self)
      return { acquired: true }
    },

    async release(stream) {
      checkOpen()
      if (store.owners.get(stream) === self) store.owners.delete(stream)
    },

    async close() {
      closed = true
      for (const [stream, owner] of store.owners) if (owner === self) store.owners.delete(stream)
    },
  }
}

function mergeEntry(store: MemoryStore, { stream, at, index }: Commit): void {
  const known = store.entries.get(stream)
  const change = index?.entry
  if (!known && !change) return
  store.entries.set(stream, {
    stream,
    kind: change?.kind ?? known?.kind ?? '',
    title: change?.title ?? known?.title ?? '',
    folder: change?.folder ?? known?.folder ?? '',
    status: change?.status ?? known?.status ?? '',
    created_at: known?.created_at ?? at,
    updated_at: at,
  })
}

function erase(store: MemoryStore, stream: StreamId): void {
  store.events.delete(stream)
  store.entries.delete(stream)
  store.texts = store.texts.filter((text) => text.stream !== stream)
  store.links.delete(stream)
  for (const children of store.links.values()) children.delete(stream)
  store.owners.delete(stream)
}

const tokensOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** How much of the text the words are, so that short matches come first; 0 unless all occur, the last as a prefix. */
function scoreOf(tokens: string[], words: string[]): number {
  let matches = 0
  for (const [position, word] of words.entries()) {
    const unfinished = position === words.length - 1
    const count = tokens.filter((token) => (unfinished ? token.startsWith(word) : token === word)).length
    if (count === 0) return 0
    matches += count
  }
  return matches / tokens.length
}

const latestFirst = (a: Entry, b: Entry): number =>
  compare(b.updated_at, a.updated_at) || compare(b.created_at, a.created_at) || compare(a.stream, b.stream)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const problem = (kind: JournalProblem, message: string, hint: string): JournalError =>
  new JournalError(kind, message, hint)

const notOwner = (message: string): JournalError =>
  problem('not_owner', message, 'Close it there and open the chat again.')
