import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqliteJournal } from '../../src/adapters/journal/sqlite-journal.ts'
import { toArray } from '../../src/core/list.ts'
import type { SessionState } from '../../src/core/session/state.ts'
import type { TurnState } from '../../src/core/turn/state.ts'
import { temporaryJournal } from '../../src/engine/engine.test-support.ts'
import type { StoredEnvelope } from '../../src/schema/envelope.ts'
import { type ChatId, type StreamId, isTurnId } from '../../src/schema/ids.ts'
import { Workbench } from '../support/workbench.ts'

const fixtures = join(import.meta.dirname, '../fixtures/chats')
const read = (name: string): StoredEnvelope[] =>
  readFileSync(join(fixtures, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as StoredEnvelope)

const streamsOf = (envelopes: StoredEnvelope[]): StreamId[] => [
  ...new Set(envelopes.map(({ stream }) => stream)),
]

/** Puts stored envelopes into a real journal and opens it anew, as an update of the program would find it. */
async function open(name: string) {
  const stored = read(name)
  const { path, journal } = await temporaryJournal()
  for (const { stream, seq, at, event } of stored)
    await journal.append({ stream, after: seq - 1, at, events: [event] })
  await journal.close()
  const reopened = await openSqliteJournal({ path })
  return { stored, bench: new Workbench({ journal: reopened, replies: [{ text: 'Still here.' }] }) }
}

/** What a chat and its turns mean, without what a later version may keep beside it. */
const meaningOf = (chat: SessionState) => ({
  ...{ chat_id: chat.chat_id, title: chat.title, folder: chat.folder, config: chat.config },
  ...{ plan: chat.plan, grants: chat.grants, last_outcome: chat.last_outcome, open_turn: chat.open_turn },
  messages: toArray(chat.messages),
  turns: toArray(chat.turns),
})
const meaningOfTurn = (turn: TurnState) => ({
  ...{ turn_id: turn.turn_id, mode: turn.settings.mode, phase: turn.phase, outcome: turn.outcome },
  ...{ answer: turn.answer, iteration: turn.iteration, files: turn.files, steps: turn.steps },
  ...{ usage: turn.usage, pendings: turn.pendings, granted: turn.granted },
  visited: toArray(turn.visited),
  entries: toArray(turn.entries),
  observations: toArray(turn.observations),
})

test('a chat of the first version opens as it was, is not rewritten, and can be gone on with', async () => {
  const { stored, bench } = await open('v1.jsonl')
  const [chat_id] = streamsOf(stored) as [ChatId]
  const chat = await bench.engine.open(chat_id)
  const turns = await Promise.all(
    toArray(chat.turns)
      .filter(isTurnId)
      .map((id) => bench.engine.turn(id)),
  )
  const state = { chat: meaningOf(chat), turns: turns.map(meaningOfTurn) }
  await expect(`${JSON.stringify(state, null, 1)}\n`).toMatchFileSnapshot(join(fixtures, 'v1.state.json'))
  expect(chat.warning).toBeUndefined()
  expect(new Set(toArray(chat.messages).map(({ message_type }) => message_type))).toEqual(
    new Set(['Text', 'Plan', 'Question', 'ToolCall']),
  )
  for (const stream of streamsOf(stored))
    expect(await bench.journal.read(stream)).toEqual(stored.filter((envelope) => envelope.stream === stream))

  const settings = { permission: 'deny', max_iterations: 3, reflect: 'never' } as const
  await bench.must({ type: 'send_message', chat_id, text: 'still there?', agent_id: 'a', settings })
  const later = await bench.engine.whenIdle(chat_id)
  expect(later.messages?.last.text).toBe('Still here.')
  expect(meaningOf(later)).toMatchObject({ plan: state.chat.plan, config: state.chat.config })
})

test('shapes older than that: no agent_mode, no message_type, no mode of a turn', async () => {
  const { stored, bench } = await open('older.jsonl')
  const chat = await bench.engine.open('chat_older')
  expect(meaningOf(chat)).toEqual({
    ...{ chat_id: 'chat_older', title: 'An old chat', folder: '/project', config: { agent_mode: 'Act' } },
    ...{ plan: null, grants: [], last_outcome: 'complete', open_turn: null, turns: ['turn_older'] },
    messages: [
      { id: 'm1', role: 'user', text: 'hello', turn_id: 'turn_older', message_type: 'Text' },
      ...[
        {
          id: 'm2',
          role: 'agent',
          text: 'Hello back.',
          agent_id: 'a',
          turn_id: 'turn_older',
          message_type: 'Text',
        },
      ],
    ],
  })
  expect(meaningOfTurn(await bench.engine.turn('turn_older'))).toMatchObject({
    ...{ mode: 'Act', phase: 'Complete', outcome: 'complete', answer: 'Hello back.', steps: [], files: [] },
    visited: ['Idle', 'Planning', 'Reflecting', 'Complete'],
  })
  const corrupt = await bench.engine.open('chat_corrupt')
  expect(corrupt).toMatchObject({
    config: { agent_mode: 'Plan' },
    warning: expect.stringContaining('"Plam"'),
  })
  for (const stream of streamsOf(stored))
    expect(await bench.journal.read(stream)).toEqual(stored.filter((envelope) => envelope.stream === stream))
})
