import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Workbench, temporaryFolder, writeFiles } from '../../test/support/workbench.ts'
import { scriptedModel } from '../adapters/models/scripted.ts'
import type { Commit } from '../ports/journal.ts'
import type { Model } from '../ports/model.ts'
import type { DurableEvent } from '../schema/envelope.ts'
import type { ChatId } from '../schema/ids.ts'
import type { ToolCall } from '../schema/turn-event.ts'
import {
  byTask,
  calls,
  journalHolding,
  recordingJournal,
  says,
  temporaryJournal,
} from './engine.test-support.ts'

interface Scenario {
  prompt: string
  model: Model
  answer: string
}

/** One agent: a read, a write through the file gateway, a write of any kind, and an explicit reflection at the end. */
const alone: Scenario = {
  prompt: 'do it',
  model: scriptedModel([
    { text: 'I look first.', calls: [{ name: 'read_file', input: { path: 'a.txt' } }] },
    { calls: [{ name: 'create_file', input: { path: 'created.txt', content: 'x' } }] },
    { calls: [{ name: 'shell', input: { command: 'echo ran >> ran.txt' } }] },
    { text: 'All done.' },
    { text: '{"verdict": "complete", "reason": "it is all there"}' },
  ]),
  answer: 'All done.',
}

const subtasks = [
  { id: 'one', task: 'the first part' },
  { id: 'two', task: 'the second part' },
  { id: 'three', task: 'the last part', depends_on: ['one', 'two'] },
]

/** Sub-agents: one that looks around, and three with dependencies. */
const together: Scenario = {
  prompt: 'do it together',
  model: byTask({
    'do it together': [
      calls(['explore', { question: 'what is there?' }], ['read_file', { path: 'a.txt' }]),
      calls(['delegate', { subtasks }]),
      says('All done.'),
    ],
    'what is there?': [calls(['read_file', { path: 'a.txt' }]), says('There is a.txt.')],
    'the first part': [calls(['shell', { command: 'echo ran >> one.txt' }]), says('one is there')],
    'the second part': [calls(['create_file', { path: 'two.txt', content: 'x' }]), says('two is there')],
    'the last part': [calls(['shell', { command: 'echo ran >> three.txt' }]), says('three is there')],
  }),
  answer: 'All done.',
}

describe.each([
  ['one agent', alone],
  ['an agent with sub-agents', together],
])('%s, killed after any commit', (_, scenario) => {
  test('finishes when it is opened again, and repeats nothing that can change something', async () => {
    const whole = await record(scenario)
    expect(whole.commits.length).toBeGreaterThan(10)
    const folder = whole.folder
    for (let kept = 1; kept <= whole.commits.length; kept++) {
      const before = whole.commits.slice(0, kept)
      const after = await resume(scenario, whole.chat, before, folder)
      verify(before.flatMap(eventsOf), after.flatMap(eventsOf), folder, `killed after commit ${kept}`)
      if (!isOpen(before)) {
        expect(after).toEqual(before)
        continue
      }
      const { at: _at, ...last } = after.at(-1) ?? expect.fail('nothing was stored')
      expect(last).toMatchObject({
        stream: whole.chat,
        events: [
          { type: 'message.added', message: { role: 'agent', text: scenario.answer } },
          { type: 'turn.closed', outcome: 'complete' },
        ],
      })
    }
  })
})

const eventsOf = ({ events }: Commit): DurableEvent[] => events

const isOpen = (commits: Commit[]): boolean => {
  const events = commits.flatMap(eventsOf)
  return (
    events.some(({ type }) => type === 'turn.opened') && !events.some(({ type }) => type === 'turn.closed')
  )
}

/** Runs the scenario to its end and returns every commit in the order it was made. */
async function record({ prompt, model }: Scenario) {
  const { journal, commits } = recordingJournal((await temporaryJournal()).journal)
  const bench = new Workbench({ files: { 'a.txt': 'old\n' }, model, journal })
  const turn = await bench.run(prompt, { reflect: 'changed' })
  expect(turn.outcome).toBe('complete')
  await bench.engine.close()
  return { chat: bench.chat, folder: bench.folder, commits }
}

/**
 * A journal that holds just these commits is opened by a new engine. All traces of the first run are gone from the
 * folder, so whatever is there at the end was done after the kill.
 */
async function resume({ model }: Scenario, chat: ChatId, before: Commit[], folder: string) {
  for (const name of ['created.txt', 'ran.txt', 'one.txt', 'two.txt', 'three.txt']) {
    rmSync(join(folder, name), { force: true })
  }
  writeFiles(folder, { 'a.txt': 'new\n' })
  const { journal, commits } = recordingJournal(await journalHolding(before))
  const { engine } = new Workbench({ model, journal, folder: temporaryFolder() })
  await engine.whenIdle(chat)
  await engine.close()
  return [...before, ...commits]
}

function verify(before: DurableEvent[], after: DurableEvent[], folder: string, when: string): void {
  const calledBefore = new Set(callsOf(before).map(({ call }) => call.id))
  const finishedBefore = new Map(resultsOf(before).map((result) => [result.call_id, result]))
  const results = resultsOf(after)
  const called = callsOf(after)
  expect(new Set(called.map(({ call }) => call.id)).size, `${when}: a call was made twice`).toBe(
    called.length,
  )
  expect(results.map(({ call_id }) => call_id).sort(), `${when}: every call has one result`).toEqual(
    called.map(({ call }) => call.id).sort(),
  )
  for (const { call, read_only, nested } of called) {
    const result = results.find(({ call_id }) => call_id === call.id) ?? expect.fail('no result')
    const what = `${when}: ${call.name} ${JSON.stringify(call.input)}`
    const open = calledBefore.has(call.id) && !finishedBefore.has(call.id)
    expect(result.cut, what).toBe(open && !read_only && !nested ? 'interrupted' : undefined)
    expect(result.success, what).toBe(result.cut === undefined)
    if (call.name === 'read_file')
      expect(result.output, what).toContain(finishedBefore.has(call.id) ? 'old' : 'new')
    const file = fileOf(call)
    if (!file) continue
    const written = existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : ''
    expect(written.trim(), what).toBe(calledBefore.has(call.id) ? '' : call.name === 'shell' ? 'ran' : 'x')
  }
}

function callsOf(events: DurableEvent[]) {
  return events.flatMap((event) =>
    event.type === 'tool.called'
      ? [
          {
            call: event.call,
            read_only: event.read_only,
            nested: ['explore', 'delegate'].includes(event.call.name),
          },
        ]
      : [],
  )
}

const resultsOf = (events: DurableEvent[]) =>
  events.flatMap((event) => (event.type === 'tool.finished' ? [event] : []))

/** The file that a write leaves behind. */
function fileOf({ name, input }: ToolCall): string | undefined {
  if (name === 'create_file') return String(input['path'])
  return name === 'shell' ? String(input['command']).split('>> ')[1] : undefined
}
