import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'
import { Program } from '../support/program.ts'
import { answers, votesFor } from '../support/team-bench.ts'
import { team } from '../support/team-config.ts'

test('a check that a kill cut short is made anew on what the agent left, not on what the check did', async () => {
  const command = 'test -e dirt.txt && exit 1; echo x > dirt.txt; sleep 2'
  const makes: ScriptedReply = {
    calls: [{ name: 'create_file', input: { path: 'new.txt', content: 'new\n' } }],
  }
  const program = team(
    new Program({ 'a.txt': 'x\n' }),
    {
      ann: [makes, answers('apples'), votesFor('apples'), { text: 'Apples.' }],
      bob: [answers('bananas'), votesFor('apples'), { text: 'Again.' }],
    },
    `orchestrator: { evidence: [{ name: clean, command: "${command}" }] }`,
  )
  const workspaces = join(program.home, '.local/share/conclave/workspaces')
  const begun = (): boolean =>
    existsSync(workspaces) &&
    readdirSync(workspaces).some((run) => existsSync(join(workspaces, run, 'agents/ann/project/dirt.txt')))
  const first = program.start(['-p', 'go', '--permission-mode', 'auto'])
  await first.until(begun)
  first.signal('SIGKILL')
  await first.ended
  const again = await program.run(['-p', 'and?', '-c', '--single', 'bob'])
  expect(again.code, again.stderr).toBe(0)
  const logs = join(program.folder, '.conclave/logs')
  const table = readFileSync(join(logs, readdirSync(logs)[0] ?? '', 'coordination.md'), 'utf8')
  expect(table).toContain('clean passed')
  expect(table).not.toContain('clean failed')
})
