import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSqliteJournal } from '../../src/adapters/journal/sqlite-journal.ts'
import { Program, readResult, readStream } from '../support/program.ts'
import { SessionBench, launches, resultOf } from '../support/session-bench.ts'
import { team } from '../support/team-config.ts'
import { answers } from '../support/team-bench.ts'
import { temporaryFolder } from '../support/workbench.ts'

const approve = { kind: 'run_approval', decision: 'approve' } as const
const inBackground = { ...approve, background: true }
const single = (task: string) => launches({ task, agent_mode: 'single' })

describe('SESS-1.1 the interactive session', () => {
  const agents = { a: [answers('from a')], b: [answers('from b')] }
  const interactive = (home: string, more = '') =>
    `orchestrator:\n  interactive_mode:\n    backend: { type: scripted, file: ${home}/scripts/talks.json }\n${more}`

  test('SESS-1.1 is the entry point where interactive_mode is enabled', async () => {
    const program = new Program()
    team(program, { ...agents, talks: [{ text: 'I am the one you talk to.' }] }, interactive(program.home))
    const { code, stdout, stderr } = await program.run(['-p', 'hi', '--output-format', 'json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(readResult(stdout)).toMatchObject({
      final_answer: 'I am the one you talk to.',
      coordination_summary: { agents: ['conclave'] },
    })
  })

  test('SESS-1.1 launches runs from the command line once they are approved', async () => {
    const program = new Program()
    const talks = [launches({ task: 'x', agents: ['b'], agent_mode: 'single' }), { text: 'b has answered.' }]
    team(program, { ...agents, talks }, interactive(program.home))
    const waits = await program.run(['-p', 'hi'])
    expect(waits.code).toBe(54)
    const { code, stdout } = await program.run(['-p', 'hi', '--on-pending', 'approve'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'b has answered.\n' })
  })

  test('SESS-1.1 is not there where it is disabled, or where the person names a team', async () => {
    const program = new Program()
    const files = { a: [{ text: 'from a' }], b: [{ text: 'from b' }], talks: [{ text: 'It is me.' }] }
    team(program, files, interactive(program.home, '    enabled: false\n'))
    expect((await program.run(['-p', 'hi', '--single', 'b'])).stdout).toBe('from b\n')
    team(program, files, interactive(program.home))
    expect((await program.run(['-p', 'hi', '--single', 'b'])).stdout).toBe('from b\n')
  })
})

describe('SESS-1.2 across runs', () => {
  test('SESS-1.2 the session keeps the results of runs, one after another, and refers to them later', async () => {
    const bench = new SessionBench({
      talks: [single('one'), single('two'), { text: 'Both are done.' }, { text: 'As I said.' }],
      agents: { a: [answers('the answer of a')] },
      require_approval: false,
    })
    const turn = await bench.say('two runs')
    const [one, two] = await bench.runs()
    expect([resultOf(turn, 1)['run_id'], resultOf(turn, 2)['run_id']]).toEqual([one?.run_id, two?.run_id])
    await bench.say('what came of it?')
    const later = JSON.stringify(bench.requests('conclave').at(-1)?.messages)
    for (const words of [one?.run_id, two?.run_id, 'the answer of a', 'Both are done.'])
      expect(later).toContain(words)
  })

  test('SESS-1.2 a session with a run in flight goes on after a crash: the same run, nothing twice', async () => {
    const folder = temporaryFolder()
    const path = join(temporaryFolder(), 'journal.db')
    const options = {
      folder,
      talks: [single('one'), { text: 'Done.' }],
      agents: {
        a: [
          { calls: [{ name: 'create_file', input: { path: 'a.txt', content: 'once\n' } }] },
          { delay_ms: 300, ...answers('written') },
        ],
      },
      require_approval: false,
    }
    const first = new SessionBench({ ...options, journal: await openSqliteJournal({ path }) })
    const id = await first.send('write it')
    await first.until(({ event }) => event.type === 'tool.finished' && event.output.includes('a.txt'))
    const [run] = await first.runs()
    await first.close()

    const second = new SessionBench({ ...options, journal: await openSqliteJournal({ path }) })
    second.chat = first.chat
    await second.engine.open(first.chat)
    await second.engine.whenIdle(first.chat)
    const turn = await second.engine.turn(id)
    expect(resultOf(turn)).toMatchObject({ run_id: run?.run_id, status: 'complete', final_answer: 'written' })
    expect(second.requests('a')).toHaveLength(1)
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('once\n')
  })
})

test('SESS-1.2 a process that is killed with a run in flight is gone on from by the next one', async () => {
  const program = new Program()
  const slow = [
    { calls: [{ name: 'create_file', input: { path: 'a.txt', content: 'once' } }] },
    { delay_ms: 1_500, ...answers('a.txt is written') },
  ]
  const talks = [single('write a.txt'), { text: 'The run is over.' }, { text: 'It wrote a.txt.' }]
  const backend = `backend: { type: scripted, file: ${program.home}/scripts/talks.json }`
  team(
    program,
    { a: slow, talks },
    `orchestrator: { interactive_mode: { require_approval: false, ${backend} } }`,
  )
  const started = program.start(['-p', 'go', '--output-format', 'stream-json', '--permission-mode', 'auto'])
  await started.until(() => started.stdout.includes('"observation.recorded"'))
  started.signal('SIGKILL')
  await started.ended
  const run_id = /"child":"(run_[^"]+)"/.exec(started.stdout)?.[1] ?? 'none'

  const { code, stdout } = await program.run([
    '-c',
    '-p',
    'what did it do?',
    '--output-format',
    'stream-json',
  ])
  const { envelopes, result } = readStream(stdout)
  expect({ code, answer: result.final_answer }).toEqual({ code: 0, answer: 'It wrote a.txt.' })
  const finished = envelopes.filter(({ event }) => event.type === 'run.finished')
  expect(finished.map(({ stream }) => stream)).toEqual([run_id])
  expect(envelopes.filter(({ event }) => event.type === 'run.started')).toEqual([])
  expect(readFileSync(join(program.folder, 'a.txt'), 'utf8')).toBe('once')
})

describe('SESS-1.2 in the background', () => {
  const slow = (text: string) => [{ delay_ms: 150, ...answers(text) }]

  test('SESS-1.2 the person goes on talking while a run works, and is told when it has ended', async () => {
    const bench = new SessionBench({
      talks: [single('one'), { text: 'It works.' }, { text: 'Four.' }, { text: 'It said: slow.' }],
      agents: { a: slow('slow answer') },
    })
    const turn = await bench.say('go', { answer: inBackground })
    expect(turn.answer).toBe('It works.')
    expect((await bench.engine.open(bench.chat)).background).toHaveLength(1)
    expect((await bench.say('two and two?')).answer).toBe('Four.')
    const { messages, background } = await bench.engine.whenIdle(bench.chat)
    const [run] = await bench.runs()
    expect(background).toEqual([])
    expect(messages?.last).toMatchObject({ role: 'agent', text: 'slow answer', run_id: run?.run_id })
    await bench.say('what did it say?')
    expect(JSON.stringify(bench.requests('conclave').at(-1)?.messages)).toContain(
      'the run in the background has ended',
    )
  })

  test('SESS-1.2 interrupting the turn leaves it alone, and a command of its own stops it', async () => {
    const bench = new SessionBench({
      talks: [single('one'), { delay_ms: 60_000, text: 'never' }],
      agents: { a: [{ delay_ms: 60_000, ...answers('never') }] },
    })
    const { chat } = bench
    await bench.send('go')
    await bench.answer((await bench.pending('run_approval')).pending, inBackground)
    await bench.until(({ event }) => event.type === 'agent.started')
    await bench.must({ type: 'interrupt', chat_id: chat })
    await bench.until(({ event }) => event.type === 'turn.closed')
    const [run] = await bench.runs()
    if (!run) throw new Error('no run')
    expect(run.finished).toBeUndefined()
    await bench.must({ type: 'interrupt', chat_id: chat, run_id: run.run_id })
    await bench.engine.whenIdle(chat)
    expect((await bench.engine.run(run.run_id)).finished?.status).toBe('cancelled')
    expect((await bench.engine.open(chat)).messages?.last).toMatchObject({ run_id: run.run_id })
  })

  test('SESS-1.2 it survives a restart', async () => {
    const path = join(temporaryFolder(), 'journal.db')
    const options = { folder: temporaryFolder(), talks: [single('one'), { text: 'It works.' }] }
    const waits = { a: [{ delay_ms: 60_000, ...answers('never') }] }
    const first = new SessionBench({
      ...options,
      agents: waits,
      journal: await openSqliteJournal({ path }),
    })
    await first.say('go', { answer: inBackground })
    await first.until(({ event }) => event.type === 'agent.started')
    const [run] = await first.runs()
    await first.close()

    const agents = { a: [answers('after the restart')] }
    const second = new SessionBench({ ...options, agents, journal: await openSqliteJournal({ path }) })
    await second.engine.open(first.chat)
    const { messages } = await second.engine.whenIdle(first.chat)
    expect(messages?.last).toMatchObject({ text: 'after the restart', run_id: run?.run_id })
  })

  test('SESS-1.2 nothing acts in the background of a chat in Plan mode', async () => {
    const bench = new SessionBench({
      talks: [single('one'), { text: 'It works.' }],
      agents: { a: [{ delay_ms: 60_000, ...answers('never') }] },
    })
    await bench.say('go', { answer: inBackground })
    const plan = { type: 'set_agent_mode', chat_id: bench.chat, agent_mode: 'Plan' } as const
    expect(await bench.engine.execute(plan)).toMatchObject({ accepted: false })
    await bench.must({ ...plan, confirm: true })
    const { background, config } = await bench.engine.open(bench.chat)
    expect({ background, mode: config.agent_mode }).toEqual({ background: [], mode: 'Plan' })
    expect((await bench.runs())[0]?.finished?.status).toBe('cancelled')
  })

  test('SESS-1.2 a plan made in the background is carried out there too', async () => {
    const plan = JSON.stringify({ goal: 'g', steps: [{ action: 'write' }] })
    const input = { task: 'x', agent_mode: 'single', planning_mode: true, execute_after_planning: true }
    const bench = new SessionBench({
      talks: [launches(input), { text: 'It works.' }],
      agents: { a: [answers(plan)] },
    })
    await bench.say('go', { answer: inBackground })
    const { plan: proposed } = await bench.engine.whenIdle(bench.chat)
    const runs = await bench.runs()
    expect(runs.map(({ settings }) => settings.turn.mode)).toEqual(['Plan', 'Act'])
    expect(runs[1]?.prompt).toContain('Carry out this plan')
    expect(proposed).toBeNull()
  })
})
