import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openFiles } from '../adapters/files/gateway.ts'
import { localShell } from '../adapters/shell/local-shell.ts'
import { temporaryFolder } from '../../test/support/workbench.ts'
import { JobOutput } from './shell-job-output.ts'
import { shellTools } from './shell.ts'
import type { Tool, ToolContext, ToolResult } from './tool.ts'

let tools: Tool[]
let context: ToolContext
let shown: string

beforeEach(() => {
  tools = shellTools()
  shown = ''
  context = {
    files: openFiles(temporaryFolder()),
    shell: localShell(),
    signal: new AbortController().signal,
    confined: false,
    call_id: 'call_1',
    chat_id: 'chat_1',
    onOutput: (text) => (shown += text),
    explore: () => Promise.reject(new Error('not here')),
  }
})

afterEach(async () => {
  await tools[0]?.endWork?.('chat_1')
})

const run = (
  name: string,
  input: Record<string, unknown>,
  more: Partial<ToolContext> = {},
): Promise<ToolResult> => {
  const tool = tools.find((each) => each.name === name)
  if (!tool) throw new Error(`no tool ${name}`)
  return tool.run(input, { ...context, ...more })
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10))
}

it('runs in the background, shows what comes, and is read and ended by its number', async () => {
  const started = await run('shell', { command: 'echo begun; sleep 300', background: true })
  expect(started).toEqual({ success: true, output: 'Job 1 runs. Read it with shell_output.' })
  await until(async () => shown === 'begun\n')
  expect((await run('shell_output', { job: '1' })).output).toMatch(
    /^\[job 1 runs for \d s, 6 bytes of output; bytes 0 to 6 of 6\]\nbegun\n$/,
  )
  expect(await run('shell_stop', { job: '1' })).toEqual({
    success: true,
    output: '[job 1 has ended: cancelled, 6 bytes of output]\nbegun\n',
  })
})

it('keeps the output of a job that has ended', async () => {
  await run('shell', { command: 'echo text; exit 3', background: true })
  await until(async () => (await run('shell_output', { job: '1' })).output.includes('ended'))
  expect((await run('shell_output', { job: '1' })).output).toBe(
    '[job 1 has ended: exit code 3, 5 bytes of output; bytes 0 to 5 of 5]\ntext\n',
  )
})

it('pages through what one reply does not hold, and tells the person where it is', async () => {
  const { output } = await run('shell', { command: 'seq 100000' })
  expect(output).toMatch(
    /bytes left out.*588895 bytes of output in all: shell_output reads the rest of job 1; until/s,
  )
  const file = /finds it in (\S+)/.exec(output)?.[1] ?? ''
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(100_001)
  let text = ''
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const page: string = (await run('shell_output', { job: '1', offset })).output
    text += page.slice(page.indexOf('\n') + 1)
    const more: string | undefined = /more from offset (\d+)\]/.exec(page)?.[1]
    offset = more === undefined ? undefined : Number(more)
  }
  expect(text.length).toBe(588_895)
  expect(text.endsWith('99999\n100000\n')).toBe(true)
})

it('knows jobs only where they were started', async () => {
  await run('shell', { command: 'sleep 300', background: true })
  const refused = { success: false, output: expect.stringContaining('There is no job "1"') }
  expect(await run('shell_output', { job: '1' }, { chat_id: 'chat_2' })).toEqual(refused)
  expect(await run('shell_stop', { job: '1' }, { files: openFiles(temporaryFolder()) })).toEqual(refused)
  expect(await run('shell_output', { job: '1' })).toMatchObject({ success: true })
})

it('ends what can still write when the chat goes into Plan mode', async () => {
  await run('shell', { command: 'sleep 300', background: true })
  await tools[0]?.endWork?.('chat_2')
  expect((await run('shell_output', { job: '1' })).output).toContain('runs')
  await tools[0]?.endWork?.('chat_1')
  expect((await run('shell_output', { job: '1' })).output).toContain('ended')
})

it('runs only so many at once', async () => {
  for (let round = 0; round < 16; round += 1) await run('shell', { command: 'sleep 300', background: true })
  expect(await run('shell', { command: 'ls', background: true })).toMatchObject({ success: false })
})

it('keeps output whole across memory, file and the edges of pages', () => {
  const folder = temporaryFolder()
  const output = new JobOutput(() => `${folder}/output`)
  const text = 'äöü😀x'.repeat(20_000)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 1_001) output.add(bytes.subarray(at, at + 1_001))
  output.close()
  let read = ''
  for (let offset = 0; offset < output.kept;) {
    const page = output.read(offset, 777)
    read += page.text
    offset = page.end
  }
  expect(read === text).toBe(true)
  expect(output.size).toBe(bytes.length)
})
