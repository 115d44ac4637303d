import { getAt, push, setAt } from './sequence.ts'
import type { Section } from './transcript.ts'
import type { TranscriptItem } from './transcript-item.ts'

export const appendItem = (section: Section, item: TranscriptItem): Section => ({
  ...section,
  body: push(section.body, item),
})

/** Changes an item of the body in place; its revision grows. */
export function changeItem<T extends TranscriptItem>(
  section: Section,
  index: number,
  edit: Partial<T>,
): Section {
  const item = getAt(section.body, index)
  if (!item) return section
  const changed = { ...item, ...edit, revision: item.revision + 1 } as TranscriptItem
  return { ...section, body: setAt(section.body, index, changed) }
}

export const lastItem = ({ body }: Section): TranscriptItem | undefined => getAt(body, body.length - 1)

/** A reply that turned out not to be the last belongs to what came before. */
export const keepDraft = (section: Section): Section =>
  section.draft ? appendItem({ ...section, draft: null }, section.draft) : section
