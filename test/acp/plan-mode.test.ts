import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testWith } from '../support/needs.ts'
import { Workbench, temporaryFolder } from '../support/workbench.ts'
import { fixtureAgent } from './support.ts'

const files = { 'a.txt': 'old\n', 'src/b.txt': 'old\n' }

testWith('bwrap', 'in Plan mode an agent that asks and one that lies change no byte', async () => {
  const agent = fixtureAgent()
  const at = new Workbench({ files, model: agent.model })
  const outside = join(temporaryFolder(), 'x')
  const before = fingerprint(at.folder)
  const prompt = `edit:a.txt run:b sneak:src/b.txt sneak:new.txt sneak:${outside} read:a.txt mode say:_done`
  const turn = await at.run(prompt, { mode: 'Plan', permission: 'auto' })
  expect(turn).toMatchObject({ outcome: 'complete', answer: 'plan_done' })
  expect(fingerprint(at.folder)).toEqual(before)
  expect(() => statSync(outside)).toThrow('ENOENT')
  const done = at.turnEvents().flatMap((event) => (event.type === 'external.finished' ? [event] : []))
  expect(done.map(({ success, output }) => [success, output.slice(0, 12)])).toEqual([
    [false, 'refused'],
    [false, 'refused'],
    [false, 'Error: EROFS'],
    [false, 'Error: EROFS'],
    [false, 'Error: ENOEN'],
    [true, 'old\n'],
  ])
  expect(at.turnEvents().some((event) => event.type === 'phase.entered' && event.phase === 'Acting')).toBe(
    false,
  )
  expect(at.turnEvents().some(({ type }) => type === 'pending.opened')).toBe(false)
})

test('the lies would work without the sandbox', async () => {
  const at = new Workbench({ files, model: fixtureAgent().model })
  await at.run('sneak:src/b.txt say:done')
  expect(readFileSync(join(at.folder, 'src/b.txt'), 'utf8')).toMatch('written by')
})

testWith(
  'bwrap',
  'a chat that goes over to Act mode goes on in a process that may write, and keeps its session',
  async () => {
    const agent = fixtureAgent(['loads'])
    const at = new Workbench({ files, model: agent.model })
    await at.run('say:planned', { mode: 'Plan' })
    await at.must({ type: 'set_agent_mode', chat_id: at.chat, agent_mode: 'Act' })
    expect((await at.run('edit:a.txt mode')).answer).toBe('default')
    expect(readFileSync(join(at.folder, 'a.txt'), 'utf8')).toMatch('written by')
    const { opened } = agent.log().find((line) => 'opened' in line) ?? {}
    expect(agent.log()).toContainEqual({ loaded: opened })
  },
)

test('a backend that may not be used in Plan mode says so', async () => {
  const at = new Workbench({ files, model: fixtureAgent([], { plan_mode: 'refuse' }).model })
  expect(await at.run('say:hello', { mode: 'Plan' })).toMatchObject({
    outcome: 'failed',
    failure: { kind: 'sandbox', message: expect.stringContaining('acp agents need a sandbox in Plan mode') },
  })
})

function fingerprint(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    names.map((name) => {
      const stat = statSync(join(folder, name))
      const hash = stat.isFile()
        ? createHash('sha256')
            .update(readFileSync(join(folder, name)))
            .digest('hex')
        : ''
      return [name, `${hash} ${stat.mode} ${stat.mtimeMs} ${stat.ctimeMs}`]
    }),
  )
}
