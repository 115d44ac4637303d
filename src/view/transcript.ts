import { type Keyed, getKey, noKeys, setKey } from './keyed.ts'
import { type Sequence, emptySequence, getAt, iterate, locate, push, sequenceOf, setAt } from './sequence.ts'
import type { TranscriptItem } from './transcript-item.ts'

/**
 * What a face scrolls through. Places are counted over all sections, so a list that draws only what is visible asks for
 * `itemAt` and `itemsBetween`.
 */
export interface Transcript {
  readonly sections: Sequence<Section>
  /** Where a section is, by its id. */
  readonly places: Keyed<number>
  /** What was read later and comes before, each part as it was read, the newest first. */
  readonly earlier: Sequence<Transcript>
}

/** A message with all that came of it: one turn or one run. */
export interface Section {
  readonly id: string
  readonly head: readonly TranscriptItem[]
  /** What the chat noted of the work; shown only while the work's own log is not there. */
  readonly noted: readonly TranscriptItem[]
  readonly body: Sequence<TranscriptItem>
  /** The log of the turn or run has been read. */
  readonly loaded: boolean
  /** The last reply, which may become the answer. */
  readonly draft: TranscriptItem | null
  readonly tail: readonly TranscriptItem[]
  readonly foot: readonly TranscriptItem[]
}

export const emptyTranscript: Transcript = {
  sections: emptySequence(sectionLength),
  places: noKeys,
  earlier: emptySequence(itemCount),
}

export const newSection = (id: string): Section => ({
  id,
  head: [],
  noted: [],
  body: emptySequence(),
  loaded: false,
  draft: null,
  tail: [],
  foot: [],
})

export function itemCount({ sections, earlier }: Transcript): number {
  return earlier.weight + sections.weight
}

export function itemAt(transcript: Transcript, place: number): TranscriptItem | undefined {
  const found = findPlace(transcript, place)
  return found && sectionItem(found.section, found.offset)
}

export function itemsBetween(transcript: Transcript, from: number, to: number): TranscriptItem[] {
  const items: TranscriptItem[] = []
  const end = Math.min(to, itemCount(transcript))
  for (let place = Math.max(0, from); place < end;) {
    const { section, offset: first } = findPlace(transcript, place) as FoundPlace
    const last = sectionLength(section)
    for (let offset = first; offset < last && place < end; offset++, place++) {
      items.push(sectionItem(section, offset) as TranscriptItem)
    }
  }
  return items
}

/** The section that has an item in this place. */
export const sectionAt = (transcript: Transcript, place: number): Section | undefined =>
  findPlace(transcript, place)?.section

/** All sections, oldest first. */
export function* sectionsOf({ sections, earlier }: Transcript): Generator<Section> {
  for (let index = earlier.length - 1; index >= 0; index--) {
    yield* sectionsOf(getAt(earlier, index) as Transcript)
  }
  yield* iterate(sections)
}

/** What is shown of a section. */
export const itemsOf = (section: Section): TranscriptItem[] =>
  Array.from(
    { length: sectionLength(section) },
    (_, offset) => sectionItem(section, offset) as TranscriptItem,
  )

/** The place of a section's first item, for a face that wants to jump to a turn. */
export function placeOf({ sections, places, earlier }: Transcript, id: string): number | undefined {
  let place = 0
  for (let index = earlier.length - 1; index >= 0; index--) {
    const part = getAt(earlier, index) as Transcript
    const within = placeOf(part, id)
    if (within !== undefined) return place + within
    place += itemCount(part)
  }
  const index = getKey(places, id)
  if (index === undefined) return undefined
  for (let before = 0; before < index; before++) place += sectionLength(getAt(sections, before) as Section)
  return place
}

export function findSection({ sections, places, earlier }: Transcript, id: string): Section | undefined {
  const index = getKey(places, id)
  if (index !== undefined) return getAt(sections, index)
  for (const part of iterate(earlier)) {
    const found = findSection(part, id)
    if (found) return found
  }
  return undefined
}

/** Changes a section, or adds it at the end. */
export function changeSection(
  transcript: Transcript,
  id: string,
  change: (section: Section) => Section,
): Transcript {
  const { sections, places, earlier } = transcript
  const index = getKey(places, id)
  if (index !== undefined) {
    const changed = change(getAt(sections, index) as Section)
    return { ...transcript, sections: setAt(sections, index, changed) }
  }
  for (const [part, each] of [...iterate(earlier)].entries()) {
    if (findSection(each, id))
      return { ...transcript, earlier: setAt(earlier, part, changeSection(each, id, change)) }
  }
  return {
    ...transcript,
    sections: push(sections, change(newSection(id))),
    places: setKey(places, id, sections.length),
  }
}

/** Puts a transcript before another, however long both are. They must have no section in common. */
export const prepend = (transcript: Transcript, before: Transcript): Transcript =>
  itemCount(before) === 0 ? transcript : { ...transcript, earlier: push(transcript.earlier, before) }

/** Adds a section where its id sorts, when it is not there: ids sort by time, and logs may come in any order. */
export function ensureSection(transcript: Transcript, id: string): Transcript {
  const { sections, places } = transcript
  if (getKey(places, id) !== undefined) return transcript
  const last = getAt(sections, sections.length - 1)
  if (!last || last.id < id) return changeSection(transcript, id, (section) => section)
  const sorted = [...iterate(sections), newSection(id)].sort((a, b) => (a.id < b.id ? -1 : 1))
  return {
    ...transcript,
    sections: sequenceOf(sorted, sectionLength),
    places: sorted.reduce<Keyed<number>>((map, section, index) => setKey(map, section.id, index), noKeys),
  }
}

interface FoundPlace {
  section: Section
  /** How far into it the place is. */
  offset: number
}

function findPlace({ sections, earlier }: Transcript, place: number): FoundPlace | undefined {
  if (place >= earlier.weight) {
    const found = locate(sections, place - earlier.weight)
    return found && { section: found.item, offset: found.offset }
  }
  // The newest part comes first, so it is counted from the other end, in the sequence and in the part.
  const found = locate(earlier, earlier.weight - 1 - place)
  return found && findPlace(found.item, itemCount(found.item) - 1 - found.offset)
}

const middleLength = ({ loaded, body, noted }: Section): number => (loaded ? body.length : noted.length)

/** The draft is shown until the answer is there. */
const showsDraft = ({ draft, tail }: Section): number => (draft && tail.length === 0 ? 1 : 0)

function sectionLength(section: Section): number {
  const { head, tail, foot } = section
  return head.length + middleLength(section) + showsDraft(section) + tail.length + foot.length
}

/** The chat's log has the answer, the turn's log what was thought before it. */
function withReasoning(
  answer: TranscriptItem | undefined,
  draft: TranscriptItem | null,
): TranscriptItem | undefined {
  if (answer?.kind !== 'agent_message' || draft?.kind !== 'agent_message' || !draft.reasoning) return answer
  return { ...answer, reasoning: draft.reasoning, revision: answer.revision + 1 }
}

function sectionItem(section: Section, offset: number): TranscriptItem | undefined {
  const { head, loaded, body, noted, draft, tail, foot } = section
  let place = offset
  if (place < head.length) return head[place]
  place -= head.length
  const middle = middleLength(section)
  if (place < middle) return loaded ? getAt(body, place) : noted[place]
  place -= middle
  if (showsDraft(section)) {
    if (place === 0) return draft ?? undefined
    place -= 1
  }
  if (place >= tail.length) return foot[place - tail.length]
  return place === 0 ? withReasoning(tail[0], draft) : tail[place]
}
