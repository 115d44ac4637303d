import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Workbench, writeFiles } from '../../test/support/workbench.ts'
import { openSqliteJournal } from '../adapters/journal/sqlite-journal.ts'
import { type Commit, type Journal, JournalError } from '../ports/journal.ts'
import {
  byTask,
  calls,
  isAlive,
  never,
  readPid,
  says,
  sleeper,
  temporaryJournal,
} from './engine.test-support.ts'

const model = byTask({
  'do it': [
    calls(['explore', { question: 'what is there?' }], ['list_directory', { path: '.' }]),
    calls(['create_file', { path: 'a.txt', content: 'x' }]),
    calls(['delegate', { subtasks: [{ id: 'one', task: 'the part' }] }]),
    says('All done.'),
  ],
  'what is there?': [calls(['list_directory', { path: '.' }]), says('Nothing.')],
  'the part': [calls(['shell', { command: 'echo part > part.txt' }]), says('It is there.')],
})

/** Passes everything on to a real journal until `fails` says that the disk is full. */
function failing(journal: Journal, fails: (commit: Commit, count: number) => boolean) {
  let count = 0
  const append = async (commit: Commit) => {
    count += 1
    if (fails(commit, count)) throw new JournalError('full', 'no space left', 'Make room.')
    await journal.append(commit)
  }
  return { journal: { ...journal, append }, appends: () => count }
}

describe.each([
  ['once', (at: number) => (_: Commit, count: number) => count === at],
  ['from then on', (at: number) => (_: Commit, count: number) => count >= at],
])('a disk that is full %s, at whichever commit', (_, when) => {
  test('is reported to whoever waits, and the turn is resumed when there is room', async () => {
    const total = await countCommits()
    expect(total).toBeGreaterThan(15)
    for (let at = 1; at <= total; at++) {
      const { path, journal } = await temporaryJournal()
      const bench = new Workbench({ model, journal: failing(journal, when(at)).journal })
      await expect(bench.run('do it'), `commit ${at}`).rejects.toMatchObject({ problem: 'full' })
      await bench.engine.close()

      const reopened = await openSqliteJournal({ path })
      const again = new Workbench({ model, journal: reopened, folder: bench.folder })
      const { last_outcome, open_turn, messages } = await again.engine.whenIdle(bench.chat)
      expect(open_turn).toBeNull()
      // The first two commits are the chat and the message: without them there is nothing to resume.
      expect(last_outcome, `commit ${at}`).toBe(at <= 2 ? undefined : 'complete')
      if (at > 2) expect(messages?.last.text).toBe('All done.')
      await again.engine.close()
    }
  })
})

async function countCommits(): Promise<number> {
  const { journal, appends } = failing((await temporaryJournal()).journal, () => false)
  const bench = new Workbench({ model, journal })
  expect((await bench.run('do it')).outcome).toBe('complete')
  return appends()
}

test('a full disk ends everything that is under way, in sub-agents too', async () => {
  const subtasks = [
    { id: 'command', task: 'run something long' },
    { id: 'thought', task: 'think for ever' },
    { id: 'signal', task: 'wait for a sign' },
  ]
  let full = false
  const { path, journal } = await temporaryJournal()
  const bench = new Workbench({
    journal: failing(journal, () => full).journal,
    model: byTask({
      'do it': [calls(['delegate', { subtasks }]), says('All done.')],
      'run something long': [calls(['shell', { command: sleeper('pid') }]), says('?')],
      'think for ever': [never],
      'wait for a sign': [calls(['shell', { command: 'while ! [ -e go ]; do sleep 0.01; done' }]), says('?')],
    }),
  })
  await bench.start('do it')
  const pid = await readPid(join(bench.folder, 'pid'))
  const idle = bench.engine.whenIdle(bench.chat)
  // The third sub-agent's command ends, and its result cannot be stored.
  full = true
  writeFiles(bench.folder, { go: '' })

  await expect(idle).rejects.toMatchObject({ problem: 'full' })
  expect(isAlive(pid)).toBe(false)
  await expect(bench.engine.execute({ type: 'send_message', ...aMessage(bench) })).rejects.toMatchObject({
    problem: 'full',
  })
  await bench.engine.close()

  const stored = await (await openSqliteJournal({ path })).read(bench.chat)
  expect(stored.at(-1)?.event.type).toBe('turn.opened')
}, 5_000)

test('a full disk is reported, too, when what waits for a person cannot be noted in the chat', async () => {
  const { journal } = await temporaryJournal()
  const { journal: full } = failing(journal, ({ events: [first] }) =>
    Boolean(first?.type === 'message.added' && first.message.pending_id),
  )
  const bench = new Workbench({
    model: byTask({ ask: [calls(['shell', { command: 'touch x' }])] }),
    journal: full,
  })
  await bench.start('ask', { permission: 'ask' })

  await expect(bench.engine.whenIdle(bench.chat)).rejects.toMatchObject({ problem: 'full' })
}, 5_000)

const aMessage = ({ chat }: Workbench) =>
  ({
    chat_id: chat,
    text: 'more',
    agent_id: 'a',
    settings: { permission: 'auto', max_iterations: 5, reflect: 'never' },
  }) as const
