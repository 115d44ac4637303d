import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteJournal } from '../../src/adapters/journal/sqlite-journal.ts'
import type { Tether } from '../../src/adapters/mcp/server-process.ts'
import { type ChatId, isTurnId } from '../../src/schema/ids.ts'
import { testWith } from '../support/needs.ts'
import { Workbench, temporaryFolder, writeFiles } from '../support/workbench.ts'
import { fixtureAgent, processesWith, readLog, until } from './support.ts'

/** A process of ours with an agent at work, killed with SIGKILL as soon as the agent hangs. */
async function kill(tether: Tether) {
  const [folder, home, store] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  writeFiles(folder, { 'a.txt': 'old\n' })
  const path = join(store, 'journal.db')
  const script = join(import.meta.dirname, 'turn-process.ts')
  const args = [script, path, folder, home, tether, 'edit:a.txt hang']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  await until(() => readLog(home).some((line) => 'answer' in line))
  // The agent reports what it did before it hangs; the journal has it a moment later.
  const written = async () => {
    const journal = await openSqliteJournal({ path })
    const { open_turn } = await journal.read(chat).then((events) => foldOpenTurn(events))
    const events = open_turn ? await journal.read(open_turn) : []
    await journal.close()
    return events.some(({ event }) => event.type === 'external.finished')
  }
  const chat = chunk.toString().trim() as ChatId
  while (!(await written())) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(processesWith(home).length).toBeGreaterThan(1)
  child.kill('SIGKILL')
  await once(child, 'exit')
  return { folder, home, path, chat }
}

function foldOpenTurn(events: { event: { type: string } }[]): { open_turn?: `turn_${string}` } {
  const opened = events.map(({ event }) => event).find(({ type }) => type === 'turn.opened')
  return opened ? { open_turn: (opened as unknown as { turn_id: `turn_${string}` }).turn_id } : {}
}

testWith('bwrap', 'kill -9 of our process leaves no process of the agent (bwrap)', async () => {
  const { home } = await kill('bwrap')
  await until(() => processesWith(home).length === 0)
})

test('kill -9 of our process leaves no process of the agent (without bwrap)', async () => {
  const { home } = await kill('watchdog')
  await until(() => processesWith(home).length === 0)
})

test('without either the agent would live on, as it has to for the tests above to mean anything', async () => {
  const { home } = await kill('none')
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const left = processesWith(home)
  expect(left).toHaveLength(1)
  for (const pid of left) process.kill(pid, 'SIGKILL')
})

test('after kill -9 the agent is told that it was interrupted, and its prompt is not repeated', async () => {
  const { folder, home, path, chat } = await kill('watchdog')
  const { model } = fixtureAgent([], {}, home)
  const { engine } = new Workbench({ model, journal: await openSqliteJournal({ path }), folder })
  await engine.whenIdle(chat)
  const prompts = readLog(home).flatMap(({ prompt }) => (prompt ? [prompt as string[]] : []))
  expect(prompts.map((blocks) => blocks.at(-1)?.split('\n')[0])).toEqual([
    'edit:a.txt hang',
    expect.stringContaining('You were interrupted while you worked'),
  ])
  const record = prompts[1]?.find((block) => block.includes('<record>'))
  expect(record).toContain('Person: edit:a.txt hang')
  const { turns } = await engine.open(chat)
  const last = turns?.last
  expect(last && isTurnId(last) && (await engine.turn(last))).toMatchObject({
    outcome: 'complete',
    answer: 'I_looked_first',
  })
})
