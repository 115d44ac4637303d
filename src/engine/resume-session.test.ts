import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Workbench } from '../../test/support/workbench.ts'
import { toArray } from '../core/list.ts'
import type { Commit } from '../ports/journal.ts'
import type { DurableEvent } from '../schema/envelope.ts'
import {
  byTask,
  calls,
  journalHolding,
  recordingJournal,
  says,
  temporaryJournal,
} from './engine.test-support.ts'

/** The commits up to and including the first that holds such an event. */
function upTo(commits: Commit[], fits: (event: DurableEvent) => boolean): Commit[] {
  const index = commits.findIndex(({ events }) => events.some(fits))
  expect(index).toBeGreaterThan(0)
  return commits.slice(0, index + 1)
}

describe('a wait for a person survives a kill', () => {
  const model = byTask({ clean: [calls(['shell', { command: 'echo ran >> ran.txt' }]), says('Cleaned.')] })

  async function commitsOfWaiting() {
    const { journal, commits } = recordingJournal((await temporaryJournal()).journal)
    const bench = new Workbench({ model, journal })
    await bench.start('clean', { permission: 'ask' })
    await bench.until(
      ({ event }) => event.type === 'message.added' && event.message.message_type === 'ToolCall',
    )
    await bench.engine.close()
    return { commits, chat: bench.chat, folder: bench.folder }
  }

  test.each<[string, (event: DurableEvent) => boolean]>([
    ['before the chat knew of it', (event) => event.type === 'pending.opened'],
    [
      'after the chat knew of it',
      (event) => event.type === 'message.added' && event.message.role === 'agent',
    ],
  ])('%s: it is noted once, and its answer lets the turn go on', async (_, last) => {
    const { commits, chat, folder } = await commitsOfWaiting()
    const journal = await journalHolding(upTo(commits, last))
    const bench = new Workbench({ model, journal, folder })
    const { open_turn } = await bench.engine.open(chat)
    const turn_id = open_turn?.turn_id ?? expect.fail('no turn is open')
    await expect.poll(async () => (await bench.engine.turn(turn_id)).pendings).toHaveLength(1)
    const [pending] = (await bench.engine.turn(turn_id)).pendings
    expect(existsSync(join(folder, 'ran.txt'))).toBe(false)

    const answer = { kind: 'tool_approval', decision: 'once' } as const
    await bench.must({ type: 'answer_pending', turn_id, pending_id: pending?.id ?? '', answer, by: 'test' })
    const { messages, last_outcome } = await bench.engine.whenIdle(chat)

    expect(last_outcome).toBe('complete')
    expect(toArray(messages).map(({ message_type, text }) => `${message_type} ${text}`)).toEqual([
      'Text clean',
      expect.stringMatching(/^ToolCall shell: /),
      'Text Cleaned.',
    ])
    expect(readFileSync(join(folder, 'ran.txt'), 'utf8')).toBe('ran\n')
  })
})

describe('a plan is put into its folder', () => {
  const plan = { goal: 'a tidy project', steps: [{ action: 'tidy up', reason: 'it is untidy' }] }
  const model = byTask({ 'make a plan': [says(JSON.stringify(plan))] })
  const isStored = ({ type }: DurableEvent) => type === 'plan.stored'

  async function commitsOfPlanning() {
    const { journal, commits } = recordingJournal((await temporaryJournal()).journal)
    const bench = new Workbench({ model, journal })
    await bench.run('make a plan', { mode: 'Plan' })
    await bench.until(({ event }) => event.type === 'plan.stored')
    await bench.engine.close()
    return { commits, chat: bench.chat }
  }

  test('also when the program was killed before it could', async () => {
    const { commits, chat } = await commitsOfPlanning()
    const before = upTo(commits, ({ type }) => type === 'plan.proposed')
    const [created] = before[0]?.events ?? []
    const folder = created?.type === 'chat.created' ? created.folder : expect.fail('no chat')
    const { journal, commits: after } = recordingJournal(await journalHolding(before))
    const bench = new Workbench({ model, journal, folder })
    await bench.engine.open(chat)
    await bench.until(({ event }) => event.type === 'plan.stored')

    expect(after.flatMap(({ events }) => events).filter(isStored)).toHaveLength(1)
    const { plan: opened } = await bench.engine.open(chat)
    expect(readFileSync(join(folder, opened?.directory ?? '', 'plan.md'), 'utf8')).toContain('tidy up')
  })

  test('and not again when it was', async () => {
    const { commits, chat } = await commitsOfPlanning()
    const { journal, commits: after } = recordingJournal(await journalHolding(commits))
    const { engine } = new Workbench({ model, journal })
    await engine.open(chat)
    await engine.close()
    expect(after).toEqual([])
  })
})
