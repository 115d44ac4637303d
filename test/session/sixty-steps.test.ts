import { expect } from 'vitest'
import { openShell } from '../../src/adapters/shell/open-shell.ts'
import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'
import type { Plan } from '../../src/schema/plan.ts'
import { testWith } from '../support/needs.ts'
import { Workbench } from '../support/workbench.ts'
import type { TurnId } from '../../src/schema/ids.ts'

const modules = Array.from({ length: 10 }, (_, index) => `m${index}`)

const plan: Plan = {
  goal: 'Every module adds instead of subtracting',
  steps: [
    {
      step_number: 1,
      action: 'Fix the modules',
      reason: 'wrong sign',
      tools_needed: ['update_file'],
      files: ['src'],
    },
    {
      step_number: 2,
      action: 'Add tests',
      reason: 'none',
      tools_needed: ['create_file', 'shell'],
      files: ['test'],
    },
    {
      step_number: 3,
      action: 'Remove the old draft',
      reason: 'unused',
      tools_needed: ['delete_file'],
      files: ['draft.js'],
    },
  ],
  risks: [],
  prerequisites: [],
}

const call = (name: string, input: Record<string, unknown>): ScriptedReply => ({ calls: [{ name, input }] })
const run = (command: string) => call('shell', { command })

/** A coding session as they are: look, read, edit, test, look at the difference, again and again. */
const session: ScriptedReply[] = [
  call('list_directory', {}),
  run('git status --short'),
  call('search_code', { pattern: 'a - b' }),
  ...modules.flatMap((name) => [
    call('read_file', { path: `src/${name}.js` }),
    call('update_file', { path: `src/${name}.js`, edits: [{ old_text: 'a - b', new_text: 'a + b' }] }),
    call('create_file', { path: `test/${name}.test.js`, content: `// ${name}\n` }),
    run('node --check src/m0.js'),
    run('git diff --stat'),
  ]),
  run('grep -rn "a - b" src'),
  run('node lint.js'),
  run('ls test | wc -l'),
  call('delete_file', { path: 'draft.js' }),
  run('node --check src/m0.js'),
  run('node lint.js'),
  call('read_file', { path: 'src/m9.js' }),
]

async function execute(replies: ScriptedReply[]) {
  const files = Object.fromEntries(
    modules.map((name) => [`src/${name}.js`, 'export const f = (a, b) => a - b\n']),
  )
  const bench = new Workbench({
    files: { ...files, 'draft.js': '// old\n', 'lint.js': 'console.log("ok")\n', 'README.md': 'x\n' },
    replies: [...replies, { text: 'Done.' }],
    shell: openShell({ sandbox: 'required', network: false, ours: [] }),
  })
  const { chat, folder } = bench
  const plan_id = 'plan_1'
  await bench.must({ type: 'create_chat', chat_id: chat, folder, title: 't', agent_mode: 'Plan' })
  await bench.must({
    type: 'import_plan',
    chat_id: chat,
    plan_id,
    revision: 1,
    plan,
  })
  const settings = { permission: 'ask', max_iterations: 100, reflect: 'never' } as const
  await bench.must({
    type: 'execute_plan',
    chat_id: chat,
    plan_id,
    revision: 1,
    by: 'me',
    agent_id: 'a',
    settings,
  })
  const asked: string[] = []
  const reasons: string[] = []
  const answering = (async () => {
    for (;;) {
      const { stream, event } = await bench.until(
        ({ event }) =>
          (event.type === 'pending.opened' && !asked.includes(event.pending.id)) ||
          event.type === 'turn.closed',
      )
      if (event.type !== 'pending.opened' || event.pending.kind !== 'tool_approval') return
      const { id, hash, call: waiting, reason } = event.pending
      asked.push(id)
      reasons.push(`${waiting.name} ${waiting.input['command'] ?? waiting.input['path']}: ${reason}`)
      const answer = { kind: 'tool_approval', decision: 'always', hash } as const
      await bench.must({
        type: 'answer_pending',
        turn_id: stream as `turn_${string}`,
        pending_id: id,
        answer,
        by: 'me',
      })
    }
  })()
  const idle = await bench.engine.whenIdle(chat)
  await answering
  const turn = await bench.engine.turn((idle.turns?.last ?? 'turn_') as TurnId)
  return { reasons, turn, bench }
}

testWith(['bwrap', 'git'], 'a session of sixty steps with an approved plan asks three times', async () => {
  expect(session.length).toBe(60)
  const { reasons, turn } = await execute(session)
  expect(turn.outcome).toBe('complete')
  expect(turn.observations?.length).toBe(60)
  expect(reasons).toHaveLength(3)
  expect(reasons[0]).toContain('node --check src/m0.js')
  expect(reasons[1]).toContain('node lint.js')
  expect(reasons[2]).toContain('delete_file draft.js')
})

testWith(
  ['bwrap', 'git'],
  'and misses none that the rules require: outside the plan, another deletion, another command',
  async () => {
    const { reasons } = await execute([
      call('update_file', { path: 'src/m0.js', edits: [{ old_text: 'a - b', new_text: 'a + b' }] }),
      call('update_file', { path: 'README.md', edits: [{ old_text: 'x', new_text: 'y' }] }),
      call('delete_file', { path: 'draft.js' }),
      call('delete_file', { path: 'src/m1.js' }),
      run('node lint.js'),
      run('node lint.js && rm -f src/m2.js'),
      run('rm -f src/m2.js'),
    ])
    expect(reasons).toEqual([
      'update_file README.md: outside the approved plan: no step changes README.md',
      expect.stringContaining('delete_file draft.js'),
      expect.stringContaining('delete_file src/m1.js'),
      expect.stringContaining('shell node lint.js'),
      expect.stringContaining('shell node lint.js && rm -f src/m2.js'),
      expect.stringContaining('shell rm -f src/m2.js'),
    ])
  },
)
