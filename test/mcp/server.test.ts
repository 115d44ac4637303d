import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished, test } from 'vitest'
import { launchRun } from '../../src/tools/launch-run.ts'
import { Program } from '../support/program.ts'
import { answers, votesFor } from '../support/team-bench.ts'
import { team } from '../support/team-config.ts'

const launcher = join(import.meta.dirname, '../../bin/conclave')
const writes = { calls: [{ name: 'create_file', input: { path: 'a.txt', content: 'made\n' } }] }
const fruits = {
  a: [answers('apple'), votesFor('banana')],
  b: [writes, answers('banana'), votesFor('banana'), { text: 'Banana it is.' }],
}

interface Connected {
  client: Client
  program: Program
  stderr: () => string
  pid: number
}

/** The official client at the other end of a real process. `person` answers what it is asked. */
async function connect(
  program: Program,
  args: string[] = [],
  person?: (question: string) => Record<string, string> | 'decline',
): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: launcher,
    args: ['mcp', ...args],
    cwd: program.folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: program.home },
    stderr: 'pipe',
  })
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: person ? { elicitation: { form: {} } } : {} },
  )
  if (person)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      const said = person(params.message)
      return said === 'decline' ? { action: 'decline' } : { action: 'accept', content: said }
    })
  let stderr = ''
  transport.stderr?.on('data', (bytes: Buffer) => (stderr += bytes.toString()))
  await client.connect(transport)
  onTestFinished(() => client.close())
  return { client, program, stderr: () => stderr, pid: transport.pid ?? 0 }
}

const call = (client: Client, input: Record<string, unknown>) =>
  client.callTool({ name: 'launch_run', arguments: input })
const textOf = (result: Awaited<ReturnType<typeof call>>): string =>
  (result.content as { text: string }[])[0]?.text ?? ''

test('offers launch_run with the schema the interactive agent has', async () => {
  const { client } = await connect(team(new Program(), fruits))
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['launch_run'])
  expect(tools[0]?.inputSchema).toEqual(JSON.parse(JSON.stringify(launchRun.input)))
  expect(client.getInstructions()).toContain('Agents: a, b')
  await expect(client.callTool({ name: 'vote', arguments: {} })).rejects.toThrow('there is no tool vote')
})

test('launches a team in the folder it was started in, tells how far it is, and returns the result', async () => {
  const program = team(new Program(), fruits)
  const args = ['--on-pending', 'approve', '--permission-mode', 'auto']
  const { client, stderr } = await connect(program, args)
  const told: string[] = []
  const result = await client.callTool(
    { name: 'launch_run', arguments: { task: 'which fruit?' } },
    undefined,
    {
      onprogress: ({ message }) => told.push(message ?? ''),
    },
  )
  expect(result.isError).toBe(false)
  expect(result.structuredContent).toMatchObject({
    status: 'complete',
    final_answer: 'Banana it is.',
    workspace_path: program.folder,
    files_written: ['a.txt (new)'],
    coordination_summary: { winner: 'b', agents: ['a', 'b'] },
  })
  expect(JSON.parse(textOf(result))).toEqual(result.structuredContent)
  expect(readFileSync(join(program.folder, 'a.txt'), 'utf8')).toBe('made\n')
  expect(told.length).toBeGreaterThan(3)
  expect(told.join('\n')).toContain('b: answer agent2.1')
  expect(stderr()).toBe('')
})

test('refuses what needs approval where nobody can be asked, and says how to allow it', async () => {
  const { client, program } = await connect(team(new Program(), fruits))
  const result = await call(client, { task: 'which fruit?' })
  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain('it needs approval, and this client cannot ask a person')
  expect(existsSync(join(program.folder, '.conclave'))).toBe(false)

  const free = team(
    new Program(),
    fruits,
    'orchestrator: { interactive_mode: { require_approval: false } }\n',
  )
  const allowed = await call((await connect(free)).client, { task: 'which fruit?', agent_mode: 'single' })
  expect(allowed.structuredContent).toMatchObject({ status: 'complete', final_answer: 'apple' })
})

test('asks the person at the client, who sees the task, the team and an estimate', async () => {
  const asked: string[] = []
  let answer: Record<string, string> | 'decline' = 'decline'
  const { client, program } = await connect(team(new Program(), fruits), [], (question) => {
    asked.push(question)
    return answer
  })
  const input = { task: 'which fruit?', context: 'No apples.' }
  expect(textOf(await call(client, input))).toContain('Cancelled: the person did not want this run')
  answer = { answer: 'cancel' }
  expect(textOf(await call(client, input))).toContain('Cancelled')
  expect(existsSync(join(program.folder, '.conclave'))).toBe(false)
  answer = { answer: 'approve' }
  const result = await call(client, input)
  expect(result.structuredContent).toMatchObject({ status: 'complete' })
  for (const words of ['which fruit?', 'No apples.', 'a, b', 'estimate']) expect(asked[0]).toContain(words)
})

test('tells what is wrong with a call', async () => {
  const { client } = await connect(team(new Program(), fruits), ['--on-pending', 'approve'])
  expect(textOf(await call(client, {}))).toContain('task is missing')
  expect(textOf(await call(client, { task: 'x', agents: ['z'] }))).toContain('there is no agent z')
  expect(textOf(await call(client, { task: 'x', refinement: 'yes' }))).toContain('must be true or false')
  expect(textOf(await call(client, { task: 'x', coordination_overrides: { seed: 1 } }))).toContain(
    'allowed are',
  )
})

test('a plan is carried out by a second run, and alone changes nothing', async () => {
  const plan = JSON.stringify({ goal: 'g', steps: [{ action: 'make a.txt' }] })
  const program = team(new Program(), { a: [answers(plan)] })
  const args = ['--on-pending', 'approve', '--permission-mode', 'auto']
  const { client } = await connect(program, args)
  const input = { task: 'x', agent_mode: 'single', planning_mode: true }
  const planned = await call(client, input)
  expect(planned.structuredContent).toMatchObject({ final_answer: plan, files_written: [] })
  const both = await call(client, { ...input, execute_after_planning: true })
  const { run_id, plan_run_id } = both.structuredContent as Record<string, string>
  const task = readFileSync(join(program.folder, `.conclave/logs/${run_id}/task.md`), 'utf8')
  expect(task).toContain('Carry out this plan')
  expect(readdirSync(join(program.folder, '.conclave/logs'))).toContain(plan_run_id)
})

test('a call that is cancelled stops its run, and the server goes on', async () => {
  const slow = { a: [{ delay_ms: 60_000, ...answers('never') }], b: [answers('quick')] }
  const { client, program } = await connect(team(new Program(), slow), ['--on-pending', 'approve'])
  const stop = new AbortController()
  const run = client.callTool(
    { name: 'launch_run', arguments: { task: 'x', agent_mode: 'single', agents: ['a'] } },
    undefined,
    {
      signal: stop.signal,
      onprogress: ({ message }) => message?.includes('works on') && stop.abort(new Error('enough')),
    },
  )
  await expect(run).rejects.toThrow('enough')
  const next = await call(client, { task: 'y', agent_mode: 'single', agents: ['b'] })
  expect(next.structuredContent).toMatchObject({ final_answer: 'quick' })
  const summaries = () =>
    readdirSync(join(program.folder, '.conclave/runs')).map(
      (name) => JSON.parse(readFileSync(join(program.folder, '.conclave/runs', name), 'utf8')).status,
    )
  while (summaries().includes('running')) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(summaries().toSorted()).toEqual(['cancelled', 'complete'])
})

test('when the client goes, the runs end and so does the process', async () => {
  const slow = { a: [{ delay_ms: 60_000, ...answers('never') }] }
  const { client, program, pid } = await connect(team(new Program(), slow), ['--on-pending', 'approve'])
  const started = Promise.withResolvers<void>()
  const run = client.callTool({ name: 'launch_run', arguments: { task: 'x' } }, undefined, {
    onprogress: () => started.resolve(),
  })
  await started.promise
  await client.close()
  await expect(run).rejects.toThrow('Connection closed')
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  const [name] = readdirSync(join(program.folder, '.conclave/runs'))
  const link = JSON.parse(readFileSync(join(program.folder, '.conclave/runs', name ?? ''), 'utf8'))
  expect(link.status).toBe('cancelled')
})

test('a folder with a config of its own must be trusted first', async () => {
  const program = new Program({ 'conclave.yaml': 'agents: [{ id: a, backend: { type: rehearsal } }]\n' })
  const { code, stdout, stderr } = await program.run(['mcp'])
  expect({ code, stdout }).toEqual({ code: 55, stdout: '' })
  expect(stderr).toContain('trust')
})
