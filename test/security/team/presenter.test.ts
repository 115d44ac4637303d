import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ScriptedReply } from '../../../src/adapters/models/scripted.ts'
import type { PermissionMode } from '../../../src/schema/chat-config.ts'
import type { Pending } from '../../../src/schema/pending.ts'
import type { PermissionRule } from '../../../src/schema/permission.ts'
import { openShell } from '../../../src/adapters/shell/open-shell.ts'
import { testWith } from '../../support/needs.ts'
import { TeamBench, answers, votesFor } from '../../support/team-bench.ts'

// Security test 43.

const call = (name: string, input: Record<string, unknown>): ScriptedReply => ({ calls: [{ name, input }] })
const runs = (command: string): ScriptedReply => call('shell', { command })

interface Options {
  /** What the winner does in its copy before it answers. */
  work?: ScriptedReply[]
  /** What it does as presenter. */
  presents?: ScriptedReply[]
  permission?: PermissionMode
  rules?: PermissionRule[]
  override?: 'ask' | 'continue'
  strategy?: 'winner_present' | 'winner_reuse'
  sandbox?: 'off'
}

const files = { 'kept.txt': 'kept\n', 'b.txt': 'b\n' }

const makeBench = ({ work = [], presents = [], permission = 'auto', rules, ...options }: Options) =>
  new TeamBench({
    files,
    strategy: options.strategy ?? 'winner_present',
    shell: openShell({ sandbox: options.sandbox ?? 'auto', network: false }),
    agents: {
      ann: [...work, answers('apples'), votesFor('apples'), ...presents, { text: 'Done.' }],
      bob: [answers('bananas'), votesFor('apples'), { text: 'Bob is done.' }],
    },
    settings: {
      turn: { permission, max_iterations: 30, reflect: 'never', ...(rules && { rules }) },
      override: options.override ?? 'continue',
    },
  })

/** Answers everything that waits, and tells what it was. */
async function answerAll(bench: TeamBench, decision: 'once' | 'deny'): Promise<Pending[]> {
  const asked: Pending[] = []
  await bench.start('go')
  const done = bench.engine.whenIdle(bench.chat).then(() => true)
  for (;;) {
    const open = bench.envelopes.flatMap(({ stream, event }) =>
      event.type === 'pending.opened' ? [{ stream, pending: event.pending }] : [],
    )
    for (const { stream, pending } of open.slice(asked.length)) {
      asked.push(pending)
      const answer = { kind: 'tool_approval', decision, reason: 'no' } as const
      const turn_id = stream as `turn_${string}`
      await bench.engine.execute({
        type: 'answer_pending',
        turn_id,
        pending_id: pending.id,
        answer,
        by: 'me',
      })
    }
    if (await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 5, false))])) return asked
  }
}

const outputs = (bench: TeamBench): string =>
  bench.envelopes.flatMap(({ event }) => (event.type === 'tool.finished' ? [event.output] : [])).join('\n')

testWith(
  'bwrap',
  'what a winner deletes is asked for before it is gone; a no holds for its presentation too',
  async () => {
    const bench = makeBench({
      work: [runs('rm kept.txt; echo new > new.txt')],
      presents: [
        call('delete_file', { path: 'kept.txt' }),
        call('update_file', { path: 'kept.txt', edits: [{ old_text: 'kept', new_text: 'gone' }] }),
        runs('rm -f kept.txt; echo x > kept.txt'),
      ],
      permission: 'auto-edit',
    })
    const asked = await answerAll(bench, 'deny')
    expect(asked[0]).toMatchObject({
      kind: 'tool_approval',
      call: { name: 'apply_answer', input: { files: expect.arrayContaining(['kept.txt (deleted)']) } },
      reason: 'it deletes a file',
    })
    expect(readFileSync(join(bench.folder, 'kept.txt'), 'utf8')).toBe('kept\n')
    expect(existsSync(join(bench.folder, 'new.txt'))).toBe(false)
    expect(bench.events('run.finished')[0]?.final_answer).toMatch(/^Done\.\n\nNot written to your folder:\n/)
    expect(bench.events('run.finished')[0]?.final_answer).toContain('- kept.txt: not written: no')

    // With a yes it is done: the gate is what held it.
    const agreed = makeBench({
      work: [runs('rm kept.txt')],
      permission: 'auto-edit',
      strategy: 'winner_reuse',
    })
    await answerAll(agreed, 'once')
    expect(existsSync(join(agreed.folder, 'kept.txt'))).toBe(false)
  },
)

testWith(
  'bwrap',
  'even with all rights a presenter does not write what the person refused or changed',
  async () => {
    const bench = makeBench({
      work: [runs('rm kept.txt')],
      presents: [runs('rm -f kept.txt; echo x > kept.txt'), call('delete_file', { path: 'kept.txt' })],
      permission: 'auto',
      rules: [{ tool: 'delete_file', resource: 'kept.txt', action: 'deny' }],
    })
    const run = await bench.run('go')
    expect(readFileSync(join(bench.folder, 'kept.txt'), 'utf8')).toBe('kept\n')
    expect(run.applied?.conflicts).toEqual([{ path: 'kept.txt', reason: 'a rule of the config denies it' }])
    expect(outputs(bench)).toMatch(/kept\.txt.*(Read-only file system|Device or resource busy)/)
  },
)

testWith(
  'bwrap',
  'many changed files at once are asked for, and refused where nobody may be asked',
  async () => {
    const work = [runs('for i in $(seq 1 25); do echo $i > file$i.txt; done')]
    const asking = makeBench({ work, permission: 'ask', strategy: 'winner_reuse' })
    expect(await answerAll(asking, 'deny')).toMatchObject([
      { call: { name: 'apply_answer' }, reason: 'it changes 25 files' },
    ])
    expect(readdirSync(asking.folder).sort()).toEqual(['.conclave', 'b.txt', 'kept.txt'])

    const denying = makeBench({ work, permission: 'deny', strategy: 'winner_reuse' })
    expect(await answerAll(denying, 'once')).toEqual([])
    expect(readdirSync(denying.folder).sort()).toEqual(['.conclave', 'b.txt', 'kept.txt'])
    expect(denying.events('run.finished')[0]?.final_answer).toContain('nothing that would ask is allowed')

    // Few of them go in without a question.
    const few = makeBench({ work: [runs('echo 1 > one.txt')], permission: 'deny', strategy: 'winner_reuse' })
    await few.run('go')
    expect(readFileSync(join(few.folder, 'one.txt'), 'utf8')).toBe('1\n')
  },
)

testWith(
  'bwrap',
  'rules about paths hold for what commands wrote in a copy: denied is left, asked for is asked',
  async () => {
    const rules: PermissionRule[] = [
      { tool: '*_file', resource: 'infra/*', action: 'deny' },
      { tool: '*_file', resource: 'deploy/*', action: 'ask' },
    ]
    const work = [runs('mkdir infra deploy; echo x > infra/a.tf; echo x > deploy/b.sh; echo x > c.txt')]
    const bench = makeBench({ work, rules, permission: 'auto', strategy: 'winner_reuse' })
    expect(await answerAll(bench, 'once')).toMatchObject([
      { call: { name: 'apply_answer' }, reason: 'a rule of the config asks about deploy/b.sh' },
    ])
    expect(
      ['infra/a.tf', 'deploy/b.sh', 'c.txt'].map((path) => existsSync(join(bench.folder, path))),
    ).toEqual([false, true, true])
    const free = makeBench({ work, permission: 'auto', strategy: 'winner_reuse' })
    await free.run('go')
    expect(existsSync(join(free.folder, 'infra/a.tf'))).toBe(true)
  },
)

test('names that decide what runs on the machine are never written, by the answer or by its presenter', async () => {
  const names = ['.git/hooks/pre-commit', 'conclave.yaml', '.mcp.json', '.bashrc', 'sub/.zshrc']
  const bench = makeBench({
    work: [
      runs(`mkdir -p .git/hooks sub; for f in ${names.join(' ')}; do echo evil > $f; done; echo ok > ok.txt`),
    ],
    presents: names.map((path) => call('create_file', { path, content: 'evil' })),
    permission: 'auto',
    // A sandbox would not even let them into the copy.
    sandbox: 'off',
  })
  mkdirSync(join(bench.folder, '.git'))
  const run = await bench.run('go')
  expect(names.filter((name) => existsSync(join(bench.folder, name)))).toEqual([])
  expect(readFileSync(join(bench.folder, 'ok.txt'), 'utf8')).toBe('ok\n')
  expect(run.applied?.conflicts.map(({ path }) => path).sort()).toEqual(
    names.filter((name) => !name.startsWith('.git/')).sort(),
  )
  expect(outputs(bench).match(/is protected/g)?.length).toBeGreaterThanOrEqual(names.length)
})

test('of many answers to the override at once one is taken; one agent presents, and only it writes', async () => {
  const bench = makeBench({
    override: 'ask',
    work: [call('create_file', { path: 'ann.txt', content: 'ann' })],
  })
  const id = await bench.start('go')
  const { event } = await bench.until((envelope) => envelope.event.type === 'pending.opened')
  if (event.type !== 'pending.opened') throw new Error('it waits')
  const answer = (agent: string) =>
    bench.engine.execute({
      type: 'answer_pending',
      turn_id: id,
      pending_id: event.pending.id,
      answer: { kind: 'override', decision: 'present', agent },
      by: agent,
    })
  const race = await Promise.all([answer('nobody'), answer('bob'), answer('ann'), answer('bob')])
  expect(race.map(({ accepted }) => accepted)).toEqual([false, true, false, false])
  const late = await answer('ann')
  await bench.engine.whenIdle(bench.chat)
  expect([late.accepted, (await answer('ann')).accepted]).toEqual([false, false])
  const presents = bench.events('agent.started').filter(({ purpose }) => purpose === 'present')
  expect(presents.map(({ agent_id }) => agent_id)).toEqual(['bob'])
  expect(bench.events('winner.overridden')).toMatchObject([{ agent_id: 'bob', by: 'bob' }])
  expect(bench.events('run.finished')).toMatchObject([{ status: 'complete', final_answer: 'Bob is done.' }])
  // Ann's work belongs to an answer that nobody presents.
  expect(existsSync(join(bench.folder, 'ann.txt'))).toBe(false)
})

test('an override against an interrupt at the same moment: at most one presenter, and one end', async () => {
  for (const first of ['override', 'interrupt'] as const) {
    const bench = makeBench({ override: 'ask' })
    const id = await bench.start('go')
    const { event } = await bench.until((envelope) => envelope.event.type === 'pending.opened')
    if (event.type !== 'pending.opened') throw new Error('it waits')
    const override = () =>
      bench.engine.execute({
        type: 'answer_pending',
        turn_id: id,
        pending_id: event.pending.id,
        answer: { kind: 'override', decision: 'present', agent: 'bob' },
        by: 'me',
      })
    const interrupt = () => bench.engine.execute({ type: 'interrupt', chat_id: bench.chat })
    const acts = first === 'override' ? [override, interrupt] : [interrupt, override]
    const [one, other] = await Promise.all(acts.map((act) => act()))
    await bench.engine.whenIdle(bench.chat)
    const overridden = (first === 'override' ? one : other)?.accepted ? 1 : 0
    expect([one?.accepted, other?.accepted]).toContain(true)
    expect(bench.events('run.finished')).toHaveLength(1)
    expect(bench.events('winner.overridden')).toHaveLength(overridden)
    const presents = bench.events('agent.started').filter(({ purpose }) => purpose === 'present')
    expect(presents.filter(({ agent_id }) => agent_id !== 'bob')).toEqual([])
    expect(presents.length).toBeLessThanOrEqual(overridden)
  }
})
