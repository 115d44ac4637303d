import { describe, expect, test } from 'vitest'
import { openSqliteJournal } from '../../src/adapters/journal/sqlite-journal.ts'
import { toArray } from '../../src/core/list.ts'
import { journalHolding, recordingJournal, temporaryJournal } from '../../src/engine/engine.test-support.ts'
import type { Journal } from '../../src/ports/journal.ts'
import type { Model, ModelMessage, ModelPart, ModelRequest } from '../../src/ports/model.ts'
import { Program, readResult, readStream } from '../support/program.ts'
import { Workbench } from '../support/workbench.ts'

/** About this many tokens of words. */
const words = (tokens: number) => 'lorem ipsum dolor sit '.repeat(Math.ceil((tokens * 3.8) / 22)).trim()
const limits = { enabled: true, threshold_tokens: 1_000, preserve_recent: 2 }

/** Answers every prompt with an echo; what asks without tools wants a summary. */
function talker(summary: (ModelPart | 'silence')[] = [{ type: 'text', text: 'SUMMARY: they talked' }]) {
  const requests: ModelRequest[] = []
  const model: Model = {
    label: 'talker',
    async *stream(request, signal): AsyncGenerator<ModelPart> {
      requests.push(structuredClone(request))
      if (request.tools.length > 0) {
        const last = request.messages.findLast(({ role }) => role === 'user')
        return yield { type: 'text', text: `reply to ${textOf(last).slice(0, 8)}` }
      }
      for (const part of summary) {
        if (part !== 'silence') yield part
        else await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      }
    },
  }
  return { model, requests, summaries: () => requests.filter(({ tools }) => tools.length === 0) }
}

const textOf = (message: ModelMessage | undefined): string =>
  message && 'text' in message ? message.text : ''
const texts = (request: ModelRequest | undefined): string[] => request?.messages.map(textOf) ?? []
const prompt = (n: number) => `prompt ${n}: ${words(200)}`

async function talk(bench: Workbench, from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n++) await bench.run(prompt(n))
}

describe('SESS-1.3 a conversation over threshold_tokens', () => {
  test('SESS-1.3 is summarised by itself, and the last preserve_recent exchanges stay word for word', async () => {
    const { model, requests, summaries } = talker()
    const { journal } = await temporaryJournal()
    const bench = new Workbench({ model, journal, parts: { compaction: limits } })
    await talk(bench, 1, 4)
    expect(summaries()).toHaveLength(0)
    await talk(bench, 5, 6)

    expect(summaries()).toHaveLength(1)
    const [asked] = summaries()
    expect(texts(asked)[0]).toContain('prompt 1')
    expect(texts(asked)[0]).not.toContain('prompt 4')
    const seen = texts(requests.at(-1))
    expect(seen[0]).toContain('Mode: Act')
    expect(seen[1]).toContain('SUMMARY: they talked')
    expect(seen.slice(2)).toEqual([
      ...[prompt(4), 'reply to prompt 4', prompt(5), 'reply to prompt 5', prompt(6)],
    ])

    const { compaction, messages } = await bench.engine.open(bench.chat)
    expect(compaction).toMatchObject({ exchanges: 3, threshold_tokens: 1_000, agent_id: 'a' })
    expect(compaction?.tokens_before).toBeGreaterThan(1_000)
    expect(compaction?.tokens_after).toBeLessThan(1_000)
    expect(toArray(messages).map(({ text }) => text)).toContain(prompt(1))
    const shown = bench.envelopes.map(({ event }) => event.type)
    expect(shown.indexOf('session.compaction_requested')).toBeLessThan(shown.indexOf('session.compacted'))

    const [hit] = await journal.search('prompt 1', 5)
    expect(hit?.stream).toBe(bench.chat)
  })

  test('SESS-1.3 each later request extends the one before, until the next summary takes in the last one', async () => {
    const { model, requests, summaries } = talker()
    const bench = new Workbench({ model, parts: { compaction: limits } })
    await talk(bench, 1, 9)
    expect(summaries()).toHaveLength(2)
    expect(texts(summaries()[1])[0]).toContain('SUMMARY: they talked')
    expect(texts(summaries()[1])[0]).not.toContain('prompt 1:')
    const talks = requests.filter(({ tools }) => tools.length > 0)
    const rewritten = talks.filter((request, index) => {
      const before = talks[index - 1]?.messages ?? []
      return JSON.stringify(request.messages.slice(0, before.length)) !== JSON.stringify(before)
    })
    expect(rewritten).toHaveLength(2)
  })

  test('SESS-1.3 is left alone where the config switches it off', async () => {
    const { model, summaries } = talker()
    const bench = new Workbench({ model, parts: { compaction: { ...limits, enabled: false } } })
    await talk(bench, 1, 7)
    expect(summaries()).toHaveLength(0)
  })

  test('SESS-1.3 the plan and the mode are carried by us, whatever the summary says', async () => {
    const { model, requests } = talker([{ type: 'text', text: 'nothing of note' }])
    const bench = new Workbench({ model, parts: { compaction: limits } })
    await bench.run('hello', { mode: 'Plan' })
    const plan = {
      goal: 'Rename getUser',
      steps: [{ step_number: 1, action: 'Search for it', reason: '', tools_needed: [] }],
      risks: [],
      prerequisites: [],
    }
    await bench.must({ type: 'import_plan', chat_id: bench.chat, plan_id: 'plan_x', revision: 1, plan })
    await talk(bench, 1, 6)
    const [kept] = texts(requests.at(-1))
    expect(kept).toContain('Mode: Plan')
    expect(kept).toContain(
      'Plan plan_x, revision 1, proposed (kept in .conclave/plans/plan_x): Rename getUser',
    )
    expect(kept).toContain('1. [pending] Search for it')
  })

  test('SESS-1.3 a summary inside a turn does not throw away what was carried', async () => {
    const { model, requests, summaries } = talker()
    let refused = false
    const picky: Model = {
      ...model,
      async *stream(request, signal) {
        const tooLong = request.tools.length > 0 && textOf(request.messages.at(-1)).startsWith('prompt 7')
        if (!tooLong || refused) return yield* model.stream(request, signal)
        refused = true
        yield { type: 'failed', failure: { kind: 'context', message: 'too long' } }
      },
    }
    const bench = new Workbench({ model: picky, parts: { compaction: limits } })
    await talk(bench, 1, 6)
    const before = summaries().length
    await bench.run('prompt 7')
    expect(summaries()).toHaveLength(before + 1)
    const seen = texts(requests.at(-1))
    expect(seen[0]).toContain('Mode: Act')
    expect(seen.filter((text) => text.includes('Mode: Act'))).toHaveLength(1)
    expect(seen[1]).toContain('SUMMARY: they talked')
    expect(seen.at(-1)).toContain('prompt 7')
    expect(seen.join()).not.toContain('prompt 5')
  })
})

describe('SESS-1.3 when it is not possible', () => {
  test('SESS-1.3 the turn goes on with the whole conversation, and after two failures it is not tried again', async () => {
    const down: ModelPart = { type: 'failed', failure: { kind: 'network', message: 'no route' } }
    const { model, requests, summaries } = talker([down])
    const bench = new Workbench({ model, parts: { compaction: limits } })
    await talk(bench, 1, 9)
    expect(summaries()).toHaveLength(2)
    expect(texts(requests.at(-1))[0]).toContain('prompt 1')
    const { compaction_problem } = await bench.engine.open(bench.chat)
    expect(compaction_problem).toContain('no route')
    expect(compaction_problem).toContain('/compact')
  })

  test('SESS-1.3 an interrupt ends the summary and the turn that waits for it', async () => {
    const { model } = talker(['silence'])
    const bench = new Workbench({ model, parts: { compaction: limits } })
    await talk(bench, 1, 5)
    const turn_id = await bench.start(prompt(6))
    await bench.until(({ event }) => event.type === 'session.compaction_requested')
    await bench.must({ type: 'interrupt', chat_id: bench.chat })
    const { compacting, last_outcome } = await bench.engine.whenIdle(bench.chat)
    expect({ compacting, last_outcome }).toEqual({ compacting: null, last_outcome: 'cancelled' })
    expect((await bench.engine.turn(turn_id)).outcome).toBe('cancelled')
  })

  test('SESS-1.3 killed after any commit, it is taken up again and the message is answered', async () => {
    const { commits, journal } = recordingJournal((await temporaryJournal()).journal)
    const first = new Workbench({ model: talker().model, journal, parts: { compaction: limits } })
    await talk(first, 1, 6)
    await first.engine.close()
    const requested = commits.findIndex(({ events }) =>
      events.some(({ type }) => type === 'session.compaction_requested'),
    )
    expect(requested).toBeGreaterThan(0)
    for (let end = requested + 1; end <= commits.length; end++) {
      const { model, summaries } = talker()
      const reopened: Journal = await journalHolding(commits.slice(0, end))
      const second = new Workbench({ model, journal: reopened, folder: first.folder, parts: {} })
      await second.engine.open(first.chat)
      const state = await second.engine.whenIdle(first.chat)
      expect(state.messages?.last.text).toBe('reply to prompt 6')
      expect(state.compaction?.summary).toBe('SUMMARY: they talked')
      expect(summaries()).toHaveLength(end === requested + 1 ? 1 : 0)
    }
  })
})

describe('SESS-1.3 a person', () => {
  test('SESS-1.3 can ask for a summary at any time', async () => {
    const { model, requests } = talker()
    const bench = new Workbench({ model })
    await talk(bench, 1, 4)
    const { chat: chat_id } = bench
    await bench.must({ type: 'compact_chat', chat_id, agent_id: 'a' })
    const { compaction } = await bench.engine.whenIdle(chat_id)
    expect(compaction).toMatchObject({ exchanges: 2, summary: 'SUMMARY: they talked' })
    const again = await bench.engine.execute({ type: 'compact_chat', chat_id, agent_id: 'a' })
    expect(again).toEqual({ accepted: false, reason: expect.stringContaining('nothing to summarise') })
    await bench.run(prompt(5))
    expect(texts(requests.at(-1))[2]).toBe(prompt(3))
  })

  test('SESS-1.3 with the built-in planner gets what was said, shortened, and no words of its own', async () => {
    const { model } = talker()
    const bench = new Workbench({ model: { ...model, no_prose: true } })
    await talk(bench, 1, 4)
    await bench.must({ type: 'compact_chat', chat_id: bench.chat, agent_id: 'a' })
    const { compaction } = await bench.engine.whenIdle(bench.chat)
    expect(compaction?.summary).toMatch(/^Person: prompt 1: [^]*Agent: reply to prompt 1\nPerson: prompt 2/)
  })

  test('SESS-1.3 sees what was summarised, and goes on from before it', async () => {
    const program = new Program()
    const script = program.replies({ text: 'An answer.' }).slice('--model=scripted/'.length)
    program.configure(`agents:
  - id: a
    backend: { type: scripted, file: "${script}" }
orchestrator:
  interactive_mode:
    context_compaction: { threshold_tokens: 300, preserve_recent: 1 }
`)
    const say = async (text: string, ...args: string[]) => {
      const { stdout, stderr } = await program.run(['-p', text, '--output-format', 'json', ...args])
      return { ...readResult(stdout), stderr }
    }
    const { chat_id } = await say(`first ${words(150)}`)
    await say(`second ${words(150)}`, '-c')
    const none = await program.run(['sessions', 'show', chat_id, '--compactions'])
    expect(none.stdout).toBe('Nothing of this chat was summarised.\n')
    const third = await say('third', '-c', '--verbose')
    expect(third.stderr).toMatch(
      /summarising the first 1 exchange [^]*summarised the first 1 exchange: about/,
    )

    const { stdout } = await program.run(['sessions', 'show', chat_id, '--compactions'])
    expect(stdout).toContain('Mode: Act')
    expect(stdout).toContain('An answer.')
    const before = /--fork --at (turn_\w+)/.exec(stdout)?.[1] ?? ''
    const whole = await program.run(['sessions', 'show', chat_id])
    expect(whole.stdout).toContain('first lorem ipsum')

    const args = ['-p', 'another way', '-r', chat_id, '--fork', '--at', before]
    const forked = await program.run([...args, '--output-format', 'stream-json'])
    const { result, envelopes } = readStream(forked.stdout)
    expect(result.chat_id).not.toBe(chat_id)
    const copied = envelopes.flatMap(({ event }) =>
      event.type === 'message.added' ? [event.message.text.slice(0, 6)] : [],
    )
    expect(copied.slice(0, 4)).toEqual(['first ', 'An ans', 'second', 'An ans'])
    expect(copied).not.toContain('third')
    const journal = await openSqliteJournal({ path: program.journal })
    const stored = await journal.read(chat_id)
    await journal.close()
    expect(stored.filter(({ event }) => event.type === 'message.added')).toHaveLength(6)

    const wrong = await program.run(['-p', 'x', '-r', chat_id, '--fork', '--at', 'm99'])
    expect(wrong).toMatchObject({ code: 42, stderr: expect.stringContaining('m99') })
    expect((await program.run(['-p', 'x', '-r', chat_id, '--at', 'm1'])).code).toBe(2)
  }, 30_000)
})
