import { describe, expect, test } from 'vitest'
import { Workbench } from '../../test/support/workbench.ts'
import { openSqliteJournal } from '../adapters/journal/sqlite-journal.ts'
import { scriptedModel } from '../adapters/models/scripted.ts'
import type { Model, ModelMessage } from '../ports/model.ts'
import type { Envelope } from '../schema/envelope.ts'
import { ChatInUse } from './engine.ts'
import { byTask, calls, never, recordingModel, says, temporaryJournal } from './engine.test-support.ts'

const settings = { permission: 'auto', max_iterations: 15, reflect: 'never' } as const

describe('subscribers', () => {
  const chatty = byTask({
    talk: [
      ...Array.from({ length: 8 }, (_, index) => [
        ...Array.from({ length: 30 }, () => says('word ')).flat(),
        ...calls(['shell', { command: `echo ${index}` }]),
      ]),
      says('Done talking.'),
    ],
  })

  test('a slow one with a small backlog loses live text only: each stored event comes once and in order', async () => {
    const { journal } = await temporaryJournal()
    const bench = new Workbench({ model: chatty, journal })
    const subscription = bench.engine.subscribe(3)
    const seen: Envelope[] = []
    const reading = (async () => {
      for await (const envelope of subscription) {
        seen.push(envelope)
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    })()
    const { turn_id } = await bench.run('talk')
    subscription.close()
    await reading

    for (const stream of [bench.chat, turn_id]) {
      const delivered = seen.filter((envelope) => envelope.stream === stream && envelope.seq !== null)
      expect(delivered).toEqual(await journal.read(stream))
    }
    const live = (envelopes: Envelope[]) => envelopes.filter(({ seq }) => seq === null).length
    expect(live(bench.envelopes)).toBeGreaterThanOrEqual(240)
    expect(live(seen)).toBeLessThan(live(bench.envelopes))
  })

  test('one that never reads does not stop the engine', async () => {
    const bench = new Workbench({ model: chatty, journal: (await temporaryJournal()).journal })
    bench.engine.subscribe(2)
    expect(await bench.run('talk')).toMatchObject({ outcome: 'complete', answer: 'Done talking.' })
  })

  test('one that stops reading in the middle does not stop the others', async () => {
    const bench = new Workbench({ model: chatty, journal: (await temporaryJournal()).journal })
    const impatient = bench.engine.subscribe(2)
    const first = (async () => {
      for await (const { event } of impatient) return event.type
      return undefined
    })()
    await bench.run('talk')
    expect(await first).toBe('chat.created')
  })
})

describe('two engines on one journal', () => {
  test('the chat belongs to the first while it lives, and to the second after that', async () => {
    const { path, journal } = await temporaryJournal()
    const first = new Workbench({ model: byTask({ wait: [never] }), journal })
    await first.start('wait')
    const other = await openSqliteJournal({ path })
    const second = new Workbench({ model: byTask({ wait: [says('Waited.')] }), journal: other })

    await expect(second.engine.open(first.chat)).rejects.toThrow(ChatInUse)
    await expect(second.engine.open(first.chat)).rejects.toThrow(`process ${process.pid}`)
    await expect(
      second.engine.execute({ type: 'set_agent_mode', chat_id: first.chat, agent_mode: 'Plan' }),
    ).rejects.toThrow(ChatInUse)
    expect((await first.engine.open(first.chat)).open_turn).not.toBeNull()

    await first.engine.close()
    const { last_outcome, messages } = await second.engine.whenIdle(first.chat)
    expect({ last_outcome, text: messages?.last.text }).toEqual({ last_outcome: 'complete', text: 'Waited.' })
  })
})

describe('a bug', () => {
  test('in an effect ends the turn as failed, says so, and the next message works', async () => {
    let broken = true
    const healthy = byTask({ again: [says('Better now.')] })
    const model: Model = {
      label: 'buggy',
      stream(...asked) {
        if (broken) throw new TypeError('undefined is not a function')
        return healthy.stream(...asked)
      },
    }
    const bench = new Workbench({ model, journal: (await temporaryJournal()).journal })
    const failed = await bench.run('go')
    expect(failed).toMatchObject({
      outcome: 'failed',
      failure: { kind: 'bug', message: expect.stringContaining('undefined is not a function') },
    })
    expect(failed.answer).toContain('a bug in conclave')

    broken = false
    expect(await bench.run('again')).toMatchObject({ outcome: 'complete', answer: 'Better now.' })
  })

  test('in a sub-agent fails that sub-task and what depends on it, and the agent goes on', async () => {
    const good = byTask({
      'build it': [
        calls([
          'delegate',
          {
            subtasks: [
              { id: 'bad', task: 'break' },
              { id: 'good', task: 'work' },
              { id: 'last', task: 'never begins', depends_on: ['bad'] },
            ],
          },
        ]),
        says('Half of it is there.'),
      ],
      work: [says('worked')],
    })
    const model: Model = {
      label: 'buggy',
      stream(request, ...rest) {
        const [first] = request.messages
        if (first?.role === 'user' && first.text === 'break') throw new TypeError('broken')
        return good.stream(request, ...rest)
      },
    }
    const bench = new Workbench({ model })
    const turn = await bench.run('build it')
    expect(turn).toMatchObject({ outcome: 'complete', answer: 'Half of it is there.' })
    const report = turn.observations?.last.output ?? ''
    expect(report).toMatch(/## bad: failed[^]*## good: complete[^]*## last: skipped/)
  })
})

describe('requests to the model', () => {
  /** Every request begins with the whole of the one before it. */
  function expectExtended(requests: { system: string; messages: ModelMessage[]; tools: unknown }[]): void {
    for (const [index, request] of requests.entries()) {
      const before = requests[index - 1]
      if (!before) continue
      expect(request.messages.length).toBeGreaterThan(before.messages.length)
      expect(request.messages.slice(0, before.messages.length)).toEqual(before.messages)
      expect(request.system).toBe(before.system)
      expect(request.tools).toEqual(before.tools)
    }
  }

  const replies = [
    { text: 'I look.', calls: [{ name: 'read_file', input: { path: 'a.txt' } }] },
    { calls: [{ name: 'create_file', input: { path: 'b.txt', content: 'x' } }] },
    { text: 'Written.' },
    { text: '{"verdict": "complete", "reason": "it is there"}' },
    { calls: [{ name: 'shell', input: { command: 'cat b.txt' } }] },
    { text: 'It says x.' },
    { text: 'You are welcome.' },
  ]

  test('only grow, within a turn and from turn to turn, and also after a restart', async () => {
    const { path, journal } = await temporaryJournal()
    const { model, requests } = recordingModel(scriptedModel(replies))
    const bench = new Workbench({ files: { 'a.txt': 'alpha\n' }, model, journal })
    await bench.run('write b', { reflect: 'changed' })
    await bench.run('what does it say?')
    await bench.engine.close()

    const reopened = await openSqliteJournal({ path })
    const again = new Workbench({ model, journal: reopened, folder: bench.folder })
    await again.engine.open(bench.chat)
    await again.must({ type: 'send_message', chat_id: bench.chat, text: 'thanks', agent_id: 'a', settings })
    const { messages } = await again.engine.whenIdle(bench.chat)

    expect(messages?.last.text).toBe('You are welcome.')
    expect(requests).toHaveLength(replies.length)
    expectExtended(requests)
    const said = requests
      .at(-1)
      ?.messages.flatMap((message) => (message.role === 'user' ? [message.text] : []))
    expect(said).toEqual(['write b', expect.stringMatching(/^Reflect:/), 'what does it say?', 'thanks'])
  })

  test('of a sub-agent do not carry the conversation of its parent', async () => {
    const { model, requests } = recordingModel(
      byTask({
        'a secret task': [calls(['explore', { question: 'where is it?' }]), says('There.')],
        'where is it?': [says('Here.')],
      }),
    )
    await new Workbench({ model }).run('a secret task')
    const [, nested] = requests
    expect(nested?.messages).toEqual([{ role: 'user', text: 'where is it?' }])
  })
})
