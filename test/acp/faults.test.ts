import { describe, expect, test } from 'vitest'
import type { AcpOptions } from '../../src/adapters/acp/options.ts'
import { acpAgent } from '../../src/adapters/acp/acp-agent.ts'
import { Workbench } from '../support/workbench.ts'
import { fixtureAgent, processesWith } from './support.ts'

const files = { 'a.txt': 'old\n' }

interface Fault {
  habits?: string[]
  prompt?: string
  options?: Partial<AcpOptions>
  failure: { kind: string; message: string; hint?: string }
}

const faults: Record<string, Fault> = {
  'a crash': {
    prompt: 'say:hi crash',
    failure: { kind: 'model', message: 'it ended with exit code 3; it said: out of cheese' },
  },
  'an exit at once': {
    habits: ['exits'],
    failure: { kind: 'model', message: 'it ended with exit code 2; it said: no config found', hint: '--acp' },
  },
  'silence at the start': {
    habits: ['mute'],
    options: { limits: { start_ms: 500 } },
    failure: { kind: 'network', message: 'did not open a session within 0.5 s', hint: '--acp' },
  },
  'silence in the middle': {
    habits: ['deaf'],
    prompt: 'say:hi hang',
    options: { limits: { silence_ms: 500 } },
    failure: { kind: 'network', message: 'said nothing for 0.5 s', hint: 'progress_seconds' },
  },
  'another version of the protocol': {
    habits: ['futuristic'],
    failure: { kind: 'model', message: 'speaks version 99 of the Agent Client Protocol' },
  },
  'no login': {
    habits: ['locked'],
    failure: { kind: 'credentials', message: 'wants a login first', hint: 'An API key: Set FIXTURE_KEY' },
  },
  'a refusal': { prompt: 'refuse', failure: { kind: 'model', message: 'refused to go on' } },
  'an end in the middle': { prompt: 'exhaust', failure: { kind: 'limit', message: 'ran out of tokens' } },
  'text without end': {
    prompt: 'flood',
    options: { limits: { text: 1_000_000 } },
    failure: { kind: 'limit', message: 'more than 1000000 characters' },
  },
  'a line without end': {
    prompt: 'burst',
    failure: { kind: 'model', message: 'a message of more than 10000000 bytes' },
  },
  'tools without end': {
    prompt: Array.from({ length: 20 }, () => 'read:a.txt').join(' '),
    options: { limits: { calls: 10 } },
    failure: { kind: 'limit', message: 'more than 10 tool calls' },
  },
}

describe('is reported, and leaves no process:', () => {
  test.each(Object.entries(faults))('%s', async (_, { habits, prompt = 'say:hi', options, failure }) => {
    const { model, home } = fixtureAgent(habits, options)
    const turn = await new Workbench({ files, model }).run(prompt)
    expect(turn.outcome).toBe(failure.kind === 'limit' ? 'limit' : 'failed')
    expect(turn.failure).toMatchObject({
      kind: failure.kind,
      message: expect.stringContaining(failure.message),
      hint: expect.stringContaining(failure.hint ?? ''),
    })
    await model.close()
    expect(processesWith(home)).toEqual([])
  })
})

test('a missing program is named, with the way to get it', async () => {
  const model = acpAgent({ command: ['codex-acp-that-is-not-there'] })
  expect((await new Workbench({ files, model }).run('hi')).failure).toMatchObject({
    kind: 'input',
    message: 'the agent codex-acp-that-is-not-there is not installed, or not on the PATH',
  })
  const known = acpAgent({ command: ['/nowhere/codex-acp'] })
  expect((await new Workbench({ files, model: known }).run('hi')).failure).toMatchObject({
    hint: 'install it with: npm install --global @zed-industries/codex-acp',
  })
})

test('greetings, broken lines and odd messages are passed over', async () => {
  const turn = await new Workbench({ files, model: fixtureAgent().model }).run('babble odd say:fine')
  expect(turn).toMatchObject({ outcome: 'complete', answer: 'fine' })
})

test('after a crash the next turn starts the agent anew, with a record of what was said', async () => {
  const agent = fixtureAgent()
  const at = new Workbench({ files, model: agent.model })
  await at.run('say:one')
  expect((await at.run('crash')).outcome).toBe('failed')
  expect((await at.run('say:three')).answer).toBe('three')
  const last = agent.prompts().at(-1)
  expect(last?.at(-1)).toBe('say:three')
  expect(last?.find((block) => block.includes('<record>'))).toMatch(
    /Person: say:one\n\nAgent: one\n\nPerson: crash/,
  )
})

test('a session that the agent can load is loaded, and what it replays is not taken for an answer', async () => {
  const agent = fixtureAgent(['loads'])
  const at = new Workbench({ files, model: agent.model })
  await at.run('say:one')
  await agent.model.close()
  expect((await at.run('say:two')).answer).toBe('two')
  expect(agent.log().filter((line) => 'opened' in line || 'loaded' in line)).toMatchObject([
    { opened: expect.any(String) },
    { loaded: expect.any(String) },
  ])
  expect(
    agent
      .prompts()
      .at(-1)
      ?.some((block) => block.includes('<record>')),
  ).toBe(false)
})

test('a key that the agent repeats when it fails is not shown', async () => {
  process.env['ACP_TEST_KEY'] = 'k-123456'
  const { model } = fixtureAgent([], {
    env: ['ACP_TEST_KEY'],
    command: ['sh', '-c', 'echo "bad key $ACP_TEST_KEY" >&2'],
  })
  const { failure } = await new Workbench({ files, model }).run('hi')
  expect(failure?.message).toContain('bad key [key]')
})
