import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/support/workbench.ts'
import type { Model, ModelPart, ModelRequest } from '../../../ports/model.ts'
import { Names } from './names.ts'
import { recorded, recordingFile } from './record.ts'
import { readHeader, readRecording } from './recording.ts'
import { replayModel } from './replay.ts'

const header = {
  at: '2030-01-01T00:00:00.000Z',
  turn_id: 'turn_00000000a',
  chat_id: 'chat_1',
  agent_id: 'a',
  folder: '/then',
  prompt: 'go',
  settings: { mode: 'Act', permission: 'auto', max_iterations: 1, reflect: 'never', tools: [] },
  before: [],
} as const

const request: ModelRequest = { system: 'in /then', messages: [{ role: 'user', text: 'go' }], tools: [] }
const reply: ModelPart[] = [
  { type: 'reasoning', text: 'hm' },
  { type: 'text', text: 'in /then' },
  { type: 'call', id: '1', name: 't', arguments: '{"path":"/then/a"}' },
  { type: 'usage', input_tokens: 1, output_tokens: 2 },
]

const model = (...parts: ModelPart[]): Model => ({
  label: 'm',
  context_window: 1000,
  async *stream() {
    yield* parts
  },
})

async function collect(from: Model, asked = request): Promise<ModelPart[]> {
  const parts: ModelPart[] = []
  for await (const part of from.stream(asked, new AbortController().signal)) parts.push(part)
  return parts
}

const settings = () => ({ ...header, before: [], settings: { ...header.settings, tools: [] } })

async function record(...parts: ModelPart[]): Promise<{ folder: string; file: string; seen: ModelPart[] }> {
  const folder = join(temporaryFolder(), 'recordings')
  const seen = await collect(recorded(model(...parts), folder, settings()))
  return { folder, file: recordingFile(folder, header.turn_id), seen }
}

test('writes down what was asked and answered, for its owner only', async () => {
  const { folder, file, seen } = await record(...reply, { type: 'progress', size: 3 })
  expect(seen).toEqual(reply)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  const { header: stored, exchanges } = readRecording(file)
  expect(stored).toMatchObject({ ...settings(), model: 'm', context_window: 1000, v: 1 })
  expect(await readHeader(file)).toEqual(stored)
  expect(exchanges).toEqual([
    {
      type: 'request',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      request,
      parts: reply.map((part) => ({ ms: expect.any(Number), part })),
      aborted: false,
    },
  ])
})

test('goes on where a killed process stopped, and leaves out what was cut off', async () => {
  const { folder, file } = await record(...reply)
  writeFileSync(
    file,
    `${readFileSync(file, 'utf8')}${JSON.stringify({ type: 'request', hash: 'x', request })}\n{"type":"pa`,
  )
  await collect(recorded(model({ type: 'text', text: 'again' }), folder, settings()))
  const { exchanges } = readRecording(file)
  expect(exchanges.map(({ parts }) => parts.at(-1)?.part.type)).toEqual(['usage', 'text'])
})

test('knows a reply that nobody waited for', async () => {
  const folder = temporaryFolder()
  for await (const _ of recorded(model(...reply), folder, settings()).stream(
    request,
    new AbortController().signal,
  ))
    break
  expect(readRecording(recordingFolder(folder)).exchanges).toMatchObject([{ aborted: true, parts: [{}] }])
})

const recordingFolder = (folder: string) => recordingFile(folder, header.turn_id)

test('says so when it cannot write, instead of asking in vain', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const parts = await collect(recorded(model(...reply), join(file, 'recordings'), settings()))
  expect(parts).toMatchObject([{ type: 'failed', failure: { kind: 'storage' } }])
})

test('is not taken for something else', async () => {
  const folder = temporaryFolder()
  const other = join(folder, 'other.jsonl')
  for (const text of ['', 'text', '{"a":1}', '{"type":"turn","turn_id":"turn_1","v":99}']) {
    writeFileSync(other, text)
    expect(() => readRecording(other)).toThrow(/other.jsonl/)
    await expect(readHeader(other)).rejects.toThrow(/other.jsonl/)
  }
})

function replayed(file: string, goesOn = false): { from: Model; differences: string[] } {
  const names = new Names()
  names.add('/then', '/now/then')
  const differences: string[] = []
  const onDifference = (difference: string) => goesOn || differences.push(difference) === 0
  return { from: replayModel(readRecording(file), { names, real_time: false, onDifference }), differences }
}

test('replays the same reply for the same request, in the names of now', async () => {
  const { file } = await record(...reply)
  const { from, differences } = replayed(file)
  expect(from).toMatchObject({ label: 'm', context_window: 1000 })
  const parts = await collect(from, { ...request, system: 'in /now/then', cache_key: 'other' })
  expect(parts).toEqual([
    reply[0],
    { type: 'text', text: 'in /now/then' },
    { type: 'call', id: '1', name: 't', arguments: '{"path":"/now/then/a"}' },
    reply[3],
  ])
  expect(differences).toEqual([])
  expect(await collect(from)).toMatchObject([
    { type: 'failed', failure: { message: expect.stringContaining('made 1 requests') } },
  ])
})

test('shows where a request differs, and answers it only when told to', async () => {
  const { file } = await record(...reply)
  const other = { ...request, messages: [{ role: 'user' as const, text: 'stop' }] }
  const { from, differences } = replayed(file)
  const parts = await collect(from, other)
  const shown = 'request.messages[0].text differs at character 0:\n  recorded: go\n  now:      stop'
  expect(parts).toMatchObject([{ type: 'failed', failure: { message: expect.stringContaining(shown) } }])
  expect(differences).toEqual([expect.stringContaining(`request 1 of ${header.turn_id}`)])
  expect(await collect(replayed(file, true).from, other)).toHaveLength(4)
})

test('in real time it waits for the next part, but not when nobody wants it any more', async () => {
  const { file } = await record({ type: 'text', text: 'a' }, { type: 'text', text: 'b' })
  const lines = readFileSync(file, 'utf8').split('\n')
  writeFileSync(
    file,
    lines.map((line) => (line.includes('"b"') ? line.replace(/"ms":\d+/, '"ms":600000') : line)).join('\n'),
  )
  const options = { names: new Names(), real_time: true, onDifference: () => false }
  const stop = new AbortController()
  const seen: ModelPart[] = []
  for await (const part of replayModel(readRecording(file), options).stream(request, stop.signal)) {
    seen.push(part)
    setImmediate(() => stop.abort())
  }
  expect(seen).toEqual([{ type: 'text', text: 'a' }])
})

test('replays a failure as the failure it was', async () => {
  const failed: ModelPart = { type: 'failed', failure: { kind: 'network', message: 'down' } }
  const { file } = await record({ type: 'text', text: 'half' }, failed)
  expect((await collect(replayed(file).from)).at(-1)).toEqual(failed)
})
