import type { RunId, TurnId } from '../../schema/ids.ts'
import { type Transcript, findSection, itemsOf, placeOf, sectionsOf } from '../../view/transcript.ts'
import type { App } from '../app.ts'
import { chatParts } from './chat-parts.ts'
import type { Look } from './look.ts'
import { saysSo } from './words-of.ts'

/** Events at a time, of what lies between what is held and what was found. */
const BETWEEN = 3_000

interface Found {
  section: string
  item: string
}

/** Looks through what is not held of the chat, the newest first. What is found is put where it belongs, the rest let go. */
export async function findEarlier(
  app: App,
  wanted: string,
  { signal, say }: Look,
): Promise<number | undefined> {
  const { session, host } = app
  const chat = session?.chat
  if (!session || !host || !chat || signal.aborted) return undefined
  let exchanges = 0
  for await (const { transcript } of chatParts(host.client, chat)) {
    if (signal.aborted || session.chat !== chat) return undefined
    const found = newestMatch(transcript, session.view.transcript, wanted)
    if (found) {
      while (!findSection(session.view.transcript, found.section) && session.unread_log > 0) {
        await session.readEarlier(BETWEEN)
        await say('reading what lies between …')
        if (signal.aborted) return undefined
      }
      await session.readSteps([found.section as TurnId | RunId])
      return placeOfItem(session.view.transcript, found)
    }
    for (const _ of sectionsOf(transcript)) exchanges++
    await say(`looking through earlier messages: ${exchanges} exchanges so far …`)
  }
  return undefined
}

/** The newest item with the words that is not among those held. */
function newestMatch(transcript: Transcript, held: Transcript, wanted: string): Found | undefined {
  for (const section of [...sectionsOf(transcript)].toReversed()) {
    const known = findSection(held, section.id)
    if (known?.loaded) continue
    const ids = new Set((known ? itemsOf(known) : []).map(({ id }) => id))
    const item = itemsOf(section).findLast((one) => !ids.has(one.id) && saysSo(one, wanted))
    if (item) return { section: section.id, item: item.id }
  }
  return undefined
}

function placeOfItem(transcript: Transcript, { section, item }: Found): number | undefined {
  const first = placeOf(transcript, section)
  const held = findSection(transcript, section)
  const offset = held ? itemsOf(held).findIndex(({ id }) => id === item) : -1
  return first === undefined ? undefined : first + Math.max(0, offset)
}
