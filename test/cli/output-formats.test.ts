import { expect, test } from 'vitest'
import type { Envelope } from '../../src/schema/envelope.ts'
import { faultServer, says } from '../support/fault-server.ts'
import { Program, readResult, readStream, serverConfig } from '../support/program.ts'

const write = { name: 'create_file', input: { path: 'a.txt', content: 'hello\n' } }
const done = { text: '{"verdict":"complete","reason":"it is there"}' }

test('text is the answer and nothing else', async () => {
  const program = new Program()
  const ended = await program.run(['-p', 'hi', program.replies({ text: 'Hello.\nHow are you?' })])
  expect(ended).toEqual({ code: 0, stdout: 'Hello.\nHow are you?\n', stderr: '' })
})

test('json is one object with every field of the contract', async () => {
  const program = new Program()
  const usage = { input_tokens: 10, output_tokens: 2, cost_usd: 0.5 }
  const model = program.replies({ text: 'writing', calls: [write], usage }, { text: 'Done.', usage }, done)
  const { code, stdout, stderr } = await program.run(['-p', 'go', model, '--output-format', 'json'])
  expect({ code, stderr, lines: stdout.split('\n').length }).toEqual({ code: 0, stderr: '', lines: 2 })
  expect(readResult(stdout)).toEqual({
    type: 'result',
    run_id: expect.stringMatching(/^turn_[0-9a-z]{18}$/),
    chat_id: expect.stringMatching(/^chat_[0-9a-z]{18}$/),
    status: 'complete',
    final_answer: 'Done.',
    workspace_path: program.folder,
    coordination_summary: {
      agents: ['agent'],
      answers: [{ agent: 'agent', label: 'agent1.1' }],
      votes: [],
      winner: 'agent',
      presenter: 'agent',
      overridden: false,
      rounds: 1,
      strategy: null,
    },
    workflow: {
      states: [
        ...['Idle', 'Planning', 'Acting', 'Observing', 'Reflecting'],
        ...['Planning', 'Reflecting', 'Complete'],
      ],
      iterations: 2,
    },
    files_written: [{ path: 'a.txt', change: 'new' }],
    usage: { input_tokens: 20, output_tokens: 4, cost_usd: 1, model_calls: 3 },
  })
})

test('an unknown price is null, not zero', async () => {
  const { url } = await faultServer(says('hi'))
  const program = new Program().configure(serverConfig(url))
  const { stdout } = await program.run(['-p', 'hi', '--output-format', 'json'])
  expect(readResult(stdout).usage).toEqual({
    input_tokens: 0,
    output_tokens: 0,
    cost_usd: null,
    model_calls: 1,
  })
})

test('stream-json is every event in its envelope, then the result', async () => {
  const program = new Program()
  const model = program.replies({ text: 'writing', calls: [write] }, { text: 'Done.' }, done)
  const { code, stdout, stderr } = await program.run(['-p', 'go', model, '--output-format', 'stream-json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { envelopes, result } = readStream(stdout)
  expect(result).toMatchObject({ type: 'result', status: 'complete', final_answer: 'Done.' })
  for (const envelope of envelopes) {
    expect(Object.keys(envelope)).toEqual(['v', 'stream', 'seq', 'at', 'event'])
    expect(envelope).toMatchObject({ v: 1, at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) })
  }
  const live = envelopes.filter(({ seq }) => seq === null).map(({ event }) => event.type)
  expect(new Set(live)).toEqual(new Set(['text.delta']))
  expect([...seqsByStream(envelopes).keys()].sort()).toEqual([result.chat_id, result.run_id])
  for (const [stream, seqs] of seqsByStream(envelopes)) {
    expect(seqs, stream).toEqual(seqs.map((_, index) => index + 1))
  }
  const types = envelopes.map(({ event }) => event.type)
  expect(types[0]).toBe('chat.created')
  expect(types.indexOf('tool.called')).toBeLessThan(types.indexOf('tool.finished'))
  expect(types.at(-1)).toBe('turn.closed')
})

test('stream-json of a continued chat goes on where the log ended', async () => {
  const program = new Program()
  const model = program.replies({ text: 'one' }, { text: 'two' })
  const flags = [model, '--output-format', 'stream-json']
  const first = readStream((await program.run(['-p', 'hi', ...flags])).stdout)
  const second = readStream((await program.run(['-c', '-p', 'again', ...flags])).stdout)
  expect(second.result).toMatchObject({ chat_id: first.result.chat_id, final_answer: 'two' })
  const seqs = (envelopes: Envelope[]) => seqsByStream(envelopes).get(first.result.chat_id) ?? []
  const all = [...seqs(first.envelopes), ...seqs(second.envelopes)]
  expect(all).toEqual(all.map((_, index) => index + 1))
})

test('what is piped in is appended to the prompt, or is the prompt', async () => {
  const program = new Program()
  const flags = [program.replies({ text: 'ok' }), '--output-format', 'stream-json']
  const prompt = async (args: string[], stdin: string): Promise<string> => {
    const { envelopes } = readStream((await program.run([...args, ...flags], { stdin })).stdout)
    return (
      envelopes.flatMap(({ event }) => (event.type === 'message.added' ? [event.message.text] : []))[0] ?? ''
    )
  }
  expect(await prompt(['-p', 'explain', 'this'], 'the log\n')).toBe('explain this\n\nthe log\n')
  expect(await prompt(['-p'], 'only the pipe: naïve 🙂')).toBe('only the pipe: naïve 🙂')
  expect(await prompt(['-p', '- begins with a dash'], '')).toBe('- begins with a dash')
})

test('progress goes to stderr with --verbose, and -q silences it', async () => {
  const program = new Program({ 'x.txt': 'inside\n' })
  const model = program.replies({ calls: [{ name: 'read_file', input: { path: 'x.txt' } }] }, { text: 'ok' })
  const loud = await program.run(['-p', 'hi', model, '--verbose'])
  expect(loud.stderr).toContain('Planning (iteration 1)')
  expect(loud.stderr).toContain('read_file x.txt (ok')
  expect(loud.stdout).toMatch(/^ok\n\nSteps:\n1\. read_file x\.txt \(ok.*\n.*inside/)
  const hushed = await program.run(['-p', 'hi', model, '--verbose', '-q'])
  expect(hushed).toMatchObject({ code: 0, stderr: '' })
})

test('progress goes to a terminal without being asked for', async () => {
  const program = new Program()
  const model = program.replies({ text: 'ok' })
  const onTerminal = (flags: string) =>
    program.shell(`script -qec '"$CONCLAVE" -p hi ${model} ${flags} 2>&1 >/dev/null' /dev/null`)
  expect((await onTerminal('')).stdout).toContain('Planning (iteration 1)')
  expect((await onTerminal('-q')).stdout).toBe('')
})

function seqsByStream(envelopes: Envelope[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const { stream, seq } of envelopes) {
    if (seq !== null) found.set(stream, [...(found.get(stream) ?? []), seq])
  }
  return found
}
