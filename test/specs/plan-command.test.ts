import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqliteJournal } from '../../src/adapters/journal/sqlite-journal.ts'
import { create, planFor, proposes } from '../support/plans.ts'
import { Program, readResult, readStream } from '../support/program.ts'

const first = planFor('Make a', 'a.txt')
const json = ['--output-format', 'json']

/** A project with a plan that waits, and the answer of the run that made it. */
async function planned(files: Record<string, string> = {}) {
  const program = new Program(files)
  const { stdout, code } = await program.run(['plan', 'make a', program.replies(proposes(first)), ...json])
  const result = readResult(stdout)
  if (code !== 0 || !result.plan) throw new Error(stdout)
  return { program, result, plan: result.plan, directory: join(program.folder, result.plan.directory) }
}

const executes = (program: Program, more: object[] = []) =>
  program.replies({ text: '' }, { calls: [create('a.txt')] }, ...more, { text: 'Made a.txt.' })

test('conclave plan prints a readable plan, keeps it in its folder and changes nothing else', async () => {
  const program = new Program({ 'b.txt': 'b\n' })
  const model = program.replies({ calls: [create('a.txt')] }, proposes(first))
  const { code, stdout, stderr } = await program.run(['plan', 'make', 'a', model])
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('# Make a\n') })
  expect(stdout).toContain('1. [ ] Change a.txt\n   - why: a.txt needs it')
  expect(stdout).not.toContain('"goal"')
  const [id] = readdirSync(join(program.folder, '.conclave/plans'))
  expect(stderr).toContain(`conclave execute-plan ${id}`)
  expect(readdirSync(program.folder).sort()).toEqual(['.conclave', 'b.txt'])
  expect(readFileSync(join(program.folder, `.conclave/plans/${id}/plan.md`), 'utf8')).toBe(stdout)
})

test('its json result is the usual one and the plan', async () => {
  const { program, result, plan } = await planned()
  expect(result).toMatchObject({ type: 'result', status: 'complete', files_written: [] })
  expect(plan).toEqual({
    plan_id: expect.stringMatching(/^plan_\w+$/),
    revision: 1,
    directory: `.conclave/plans/${plan.plan_id}`,
    plan: first,
  })
  const model = program.replies({ text: '' }, proposes(planFor('Make a', 'a.txt', 'b.txt')))
  const args = ['plan', '-c', 'and b', model, '--output-format', 'stream-json']
  const { envelopes, result: refined } = readStream((await program.run(args)).stdout)
  expect(refined.plan).toMatchObject({ plan_id: plan.plan_id, revision: 2 })
  expect(envelopes.map(({ event }) => event.type)).toContain('plan.proposed')
})

test('a reply without a plan is printed, with a note and exit code 1', async () => {
  const program = new Program()
  const { code, stdout, stderr } = await program.run(['plan', 'why?', program.replies({ text: 'Because.' })])
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'Because.\n' })
  expect(stderr).toContain('the reply holds no plan')
  expect((await program.run(['plan'])).code).toBe(42)
})

test('plan -c and -p --plan -c bring a chat that was in Act mode into Plan mode first', async () => {
  for (const args of [['plan'], ['-p', '--plan']]) {
    const program = new Program()
    await program.run(['-p', 'hello', program.replies({ text: 'Hello.' })])
    const model = program.replies({ text: '' }, { calls: [create('a.txt')] }, proposes(first))
    const again = await program.run([...args, '-c', 'make a', model, ...json, '--permission-mode', 'auto'])
    expect(readResult(again.stdout).plan).toMatchObject({ revision: 1 })
    expect(existsSync(join(program.folder, 'a.txt'))).toBe(false)
  }
})

test('execute-plan carries out the newest revision, found by id, by folder, or as the latest', async () => {
  for (const name of ['id', 'folder', 'file', 'latest']) {
    const { program, plan, directory } = await planned()
    const names: Record<string, string> = {
      ...{ id: plan.plan_id, folder: directory, file: `${plan.directory}/plan.json`, latest: 'latest' },
    }
    const { code, stdout } = await program.run([
      'execute-plan',
      names[name] ?? '',
      executes(program),
      ...json,
    ])
    expect({ name, code }).toEqual({ name, code: 0 })
    expect(readResult(stdout)).toMatchObject({
      ...{
        status: 'complete',
        final_answer: 'Made a.txt.',
        files_written: [{ path: 'a.txt', change: 'new' }],
      },
    })
    const approvals = JSON.parse(readFileSync(join(directory, 'approvals.json'), 'utf8'))
    expect(approvals).toEqual([{ revision: 1, by: 'execute-plan', reviews: [] }])
    const again = await program.run(['execute-plan', plan.plan_id, executes(program)])
    expect({ code: again.code, stderr: again.stderr }).toEqual({
      code: 42,
      stderr: expect.stringContaining('was carried out already'),
    })
  }
})

test('a plan whose chat is not here is imported into a new chat of this folder', async () => {
  const { program, plan } = await planned()
  const elsewhere = new Program()
  cpSync(join(program.folder, '.conclave'), join(elsewhere.folder, '.conclave'), { recursive: true })
  const model = elsewhere.replies({ calls: [create('a.txt')] }, { text: 'Made a.txt.' })
  const { code, stdout } = await elsewhere.run(['execute-plan', 'latest', model, ...json])
  const { status, chat_id } = readResult(stdout)
  expect({ code, status }).toEqual({ code: 0, status: 'complete' })
  expect(existsSync(join(elsewhere.folder, 'a.txt'))).toBe(true)
  const kept = readFileSync(join(elsewhere.folder, plan.directory, 'plan.json'), 'utf8')
  expect(JSON.parse(kept)).toMatchObject({ plan_id: plan.plan_id, chat_id, status: 'complete', plan: first })
  expect(existsSync(join(program.folder, 'a.txt'))).toBe(false)
})

test('a copy of the folder on the same machine carries the plan out in the copy', async () => {
  const { program, plan } = await planned()
  const copy = join(program.home, 'copy')
  cpSync(program.folder, copy, { recursive: true })
  const model = program.replies({ calls: [create('a.txt')] }, { text: 'Made a.txt.' })
  const { code } = await program.run(['execute-plan', plan.plan_id, model], { cwd: copy })
  expect(code).toBe(0)
  expect([copy, program.folder].map((folder) => existsSync(join(folder, 'a.txt')))).toEqual([true, false])
})

test('what is no plan, is damaged, was changed or rejected is refused with exit code 42, and nothing runs', async () => {
  const { program, plan, directory } = await planned()
  const file = join(directory, 'plan.json')
  const good = readFileSync(file, 'utf8')
  const record = JSON.parse(good)
  const model = executes(program)
  const refusal = async (name: string, text?: string) => {
    if (text !== undefined) writeFileSync(file, text)
    const { code, stdout, stderr } = await program.run(['execute-plan', name, model])
    expect({ code, stdout }).toEqual({ code: 42, stdout: '' })
    return stderr
  }
  expect(await refusal('plan_nowhere')).toContain('there is no plan plan_nowhere in')
  expect(await refusal('no/such/folder')).toContain('there is no plan at')
  for (const name of [plan.plan_id, directory, 'latest']) {
    expect(await refusal(name, good.slice(0, 40))).toContain('plan.json is damaged')
    expect(await refusal(name, '[]')).toContain('is not an object')
    expect(await refusal(name, JSON.stringify({ ...record, plan: { goal: 'g', steps: [] } }))).toContain(
      'no plan with',
    )
    expect(await refusal(name, JSON.stringify({ ...record, plan_id: '../../x' }))).toContain('no plan_id')
    expect(await refusal(name, JSON.stringify({ ...record, revision: 1.5 }))).toContain('revision')
    const other = { ...record, plan: planFor('Make something else', 'a.txt') }
    expect(await refusal(name, JSON.stringify(other))).toContain(`is not revision 1 of ${plan.plan_id}`)
  }
  const foreign = { ...record, plan_id: 'plan_foreign', chat_id: 'chat_elsewhere', status: 'rejected' }
  expect(await refusal(directory, JSON.stringify(foreign))).toContain('plan_foreign was rejected')
  expect(existsSync(join(program.folder, 'a.txt'))).toBe(false)
  expect((await program.run(['execute-plan'])).code).toBe(2)
  expect(await new Program().run(['execute-plan', 'latest'])).toMatchObject({
    code: 42,
    stderr: expect.stringContaining('conclave plan'),
  })
  writeFileSync(file, good)
  expect((await program.run(['execute-plan', plan.plan_id, model])).code).toBe(0)
})

test('execute-plan after a kill resumes the open turn instead of starting a second one', async () => {
  const { program, plan, directory } = await planned()
  const slow = { name: 'shell', input: { command: 'echo ran >> ran.txt; sleep 60' } }
  const model = program.replies(
    { text: '' },
    { calls: [create('a.txt')] },
    { calls: [slow] },
    { text: 'Made a.txt.' },
    { text: '{"verdict": "complete", "reason": "ok"}' },
  )
  const args = ['execute-plan', plan.plan_id, model, '--permission-mode', 'auto', ...json]
  const running = program.start(args)
  const ran = join(program.folder, 'ran.txt')
  await running.until(() => existsSync(ran))
  running.signal('SIGKILL')
  await running.ended

  const again = await program.run([...args, '--add', 'too late'])
  const result = readResult(again.stdout)
  expect({ code: again.code, answer: result.final_answer }).toEqual({ code: 0, answer: 'Made a.txt.' })
  expect(again.stderr).toContain('--add is not used')
  expect(readFileSync(ran, 'utf8')).toBe('ran\n')
  const approvals = JSON.parse(readFileSync(join(directory, 'approvals.json'), 'utf8'))
  expect(approvals).toHaveLength(1)
})

test('a chat whose stored mode is damaged is opened in Plan mode, and the person is told', async () => {
  const program = new Program()
  await program.run(['-p', 'hello', program.replies({ text: 'Hello.' })])
  const chat_id = 'chat_damaged'
  const journal = await openSqliteJournal({ path: program.journal })
  const config = { agent_mode: 'Ac' as 'Act' }
  const created = { type: 'chat.created', chat_id, title: 't', folder: program.folder, config } as const
  await journal.append({
    ...{ stream: chat_id, after: 0, at: new Date().toISOString(), events: [created] },
    index: { entry: { kind: 'chat', title: 't', folder: program.folder, status: 'new' } },
  })
  await journal.close()
  const model = program.replies({ calls: [create('a.txt')] }, { text: 'I could not.' })
  const { code, stderr } = await program.run([
    '-p',
    '-r',
    chat_id,
    'make a',
    model,
    '--permission-mode',
    'auto',
  ])
  expect(code).toBe(0)
  expect(stderr).toContain('stored agent_mode "Ac" is unknown; it was opened in Plan mode')
  expect(existsSync(join(program.folder, 'a.txt'))).toBe(false)
})

test('the built-in planner plans a rename and carries its own plan out', async () => {
  const program = new Program({
    'src/a.py': 'def total(x):\n    return sum(x)\n',
    'src/b.py': 'from a import total\n',
  })
  expect((await program.run(['plan', 'rename total to add_up', '-m', 'rehearsal'])).code).toBe(0)
  const executed = await program.run(['execute-plan', 'latest', '-m', 'rehearsal'])
  expect(executed).toMatchObject({ code: 0, stdout: expect.stringContaining('Renamed `total` to `add_up`') })
  expect(readFileSync(join(program.folder, 'src/a.py'), 'utf8')).toBe('def add_up(x):\n    return sum(x)\n')
  expect(readFileSync(join(program.folder, 'src/b.py'), 'utf8')).toBe('from a import add_up\n')
  const [plan] = readdirSync(join(program.folder, '.conclave/plans'))
  const kept = readFileSync(join(program.folder, `.conclave/plans/${plan}/execution.json`), 'utf8')
  const { status, steps } = JSON.parse(kept) as { status: string; steps: { status: string }[] }
  // Nothing was run to test it, and the steps that test are not claimed.
  expect({ status, steps: steps.map((step) => step.status) }).toEqual({
    status: 'complete',
    steps: ['pending', 'done', 'done', 'pending'],
  })
})
