import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { parseConfig } from '../../src/config/load.ts'
import { importMassgen } from '../../src/config/massgen/import-massgen.ts'
import { Program } from '../support/program.ts'

const folder = join(import.meta.dirname, 'massgen')
const names = readdirSync(folder)
const sourceOf = (name: string): string => readFileSync(join(folder, name), 'utf8')

function imported(start: string) {
  const name = names.find((file) => file.startsWith(start)) ?? ''
  return importText(sourceOf(name))
}

function importText(source: string) {
  const result = importMassgen('m.yaml', source)
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  const notes = result.notes.map(({ line, column, message }) => `${line}:${column}: ${message}`)
  return { config: parse(result.yaml) as Record<string, unknown>, yaml: result.yaml, notes }
}

test('there are twenty', () => {
  expect(names).toHaveLength(20)
})

test.each(names)('%s is imported, checks, and a run starts from it', async (name) => {
  const program = new Program({ 'massgen.yaml': sourceOf(name) })
  const importing = await program.run(['config', 'import', 'massgen.yaml', '-o', 'conclave.yaml'])
  expect(importing).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/imported \d agents?; /),
  })
  const source = readFileSync(join(program.folder, 'conclave.yaml'), 'utf8')
  const loaded = parseConfig('conclave.yaml', source)
  expect(loaded).toMatchObject({ ok: true })
  if (!loaded.ok) return
  const [first] = loaded.config.agents
  writeFileSync(
    join(program.folder, 'conclave.yaml'),
    stringify(onThisMachine(parse(source), program.folder)),
  )
  const check = await program.run(['config', 'check', 'conclave.yaml'])
  expect(check.stdout).toMatch(/^conclave\.yaml is fine: /)
  const run = await program.run(['-p', 'hi', '--config', 'conclave.yaml', '--single', first?.id ?? ''])
  expect(run).toMatchObject({ code: 0, stdout: 'it works\n' })
})

interface Runnable {
  agents: { backend: unknown }[]
  orchestrator?: { context_paths?: { path: string }[]; interactive_mode?: { backend?: unknown } }
  mcp_servers?: Record<string, { enabled?: boolean }>
  execution?: { mode?: string }
}

/** The same config with what every machine has: a script instead of models, and neither Docker nor foreign servers. */
function onThisMachine(config: Runnable, base: string): Runnable {
  mkdirSync(join(base, 'context'))
  writeFileSync(join(base, 'replies.json'), '{"replies":[{"text":"it works"}]}')
  const backend = { type: 'scripted', file: join(base, 'replies.json') }
  for (const agent of config.agents) agent.backend = backend
  for (const entry of config.orchestrator?.context_paths ?? []) entry.path = join(base, 'context')
  if (config.orchestrator?.interactive_mode?.backend) config.orchestrator.interactive_mode.backend = backend
  for (const server of Object.values(config.mcp_servers ?? {})) server.enabled = false
  if (config.execution) config.execution.mode = 'local'
  return config
}

test('agents keep their models, instructions and settings', () => {
  expect(imported('01').config).toEqual({
    agents: [
      {
        id: 'helper',
        backend: { type: 'anthropic', model: 'claude-sonnet-4' },
        system_message: 'Answer in one paragraph.',
      },
    ],
  })
  const { config, notes } = imported('03')
  expect(config['agents']).toEqual([
    { id: 'Agent-One', backend: { type: 'xai', model: 'grok-3-mini' } },
    { id: 'Agent-Two', backend: { type: 'openai', model: 'gpt-5-mini', reasoning_effort: 'high' } },
    {
      id: 'Agent-Two-2',
      backend: { type: 'anthropic', model: 'claude-haiku-4', temperature: 0.3, max_output_tokens: 4096 },
    },
  ])
  expect(notes).toContainEqual(
    expect.stringMatching(/^6:7: agents\.0\.backend\.enable_web_search: .*web_fetch/),
  )
  expect(notes).toContainEqual(
    expect.stringMatching(/^13:7: agents\.1\.backend\.text: Conclave has nothing like it/),
  )
})

test('services behind a common type get their own, and command-line agents stay what they are', () => {
  expect(imported('15').config['agents']).toEqual([
    { id: 'cerebras', backend: { type: 'cerebras', model: 'gpt-oss-120b' } },
    {
      id: 'unknown-host',
      backend: {
        type: 'openai_compatible',
        model: 'some-model',
        base_url: 'https://llm.example.com/v1',
        api_key_env: 'HOUSE_KEY',
      },
    },
    { id: 'no-host', backend: { type: 'openai', model: 'gpt-4o-mini', api: 'chat' } },
    { id: 'glm', backend: { type: 'zai', model: 'glm-4.5', base_url: 'https://api.z.ai/api/paas/v4/' } },
    { id: 'kimi', backend: { type: 'moonshot', model: 'kimi-k2' } },
  ])
  const { config, notes } = imported('14')
  expect(config['agents']).toMatchObject([
    { backend: { type: 'claude_code' }, system_message: 'Write tests first.' },
    { backend: { type: 'codex', reasoning_effort: 'high' } },
    { backend: { type: 'gemini_cli' } },
    { backend: { type: 'acp', command: ['copilot', '--acp'] } },
  ])
  expect(config['permissions']).toEqual([
    { tool: 'shell', resource: 'rm*', action: 'deny' },
    { tool: 'shell', resource: 'sudo*', action: 'deny' },
  ])
  expect(notes).toContainEqual(
    expect.stringMatching(/agents\.0\.backend\.model: the command-line agent chooses/),
  )
})

test('what has no backend here is left out and said, and nothing but such agents leaves a stand-in', () => {
  const { config, yaml, notes } = imported('17')
  expect(config['agents']).toMatchObject([{ id: 'azure' }, { id: 'framework', backend: { type: 'openai' } }])
  expect(yaml).toContain('# The agent nothing-like-it was left out')
  expect(notes).toContainEqual(expect.stringMatching(/^18:16: agents\.2\.backend\.type: .*"holographic"/))
  const none = importText('agents:\n  - id: a\n    backend: { type: holographic }\n  - 7\n')
  expect(none.config['agents']).toEqual([{ id: 'agent', backend: { type: 'rehearsal' } }])
  expect(parseConfig('c.yaml', none.yaml).ok).toBe(true)
})

test('containers, context paths, timeouts and coordination', () => {
  expect(imported('04').config['execution']).toEqual({
    mode: 'docker',
    docker: { image: 'python:3.13-slim', network: 'none', memory: '2g', cpus: 1.5 },
  })
  expect(imported('09').config['orchestrator']).toEqual({
    context_paths: [
      { path: '/home/me/project/src' },
      { path: '/home/me/project/docs', permission: 'write', protected_paths: ['CHANGELOG.md', 'adr/'] },
      { path: 'notes.md' },
    ],
  })
  expect(imported('11').config['timeout_settings']).toEqual({
    orchestrator_timeout_seconds: 600,
    initial_round_timeout_seconds: 120,
    subsequent_round_timeout_seconds: 60,
    round_timeout_grace_seconds: 15,
  })
  expect(imported('12').config).toMatchObject({
    orchestrator: {
      voting_sensitivity: 'balanced',
      max_new_answers_per_agent: 2,
      max_new_answers_global: 6,
      answer_novelty_requirement: 'strict',
      fairness_lead: 2,
    },
    timeout_settings: { orchestrator_timeout_seconds: 900 },
  })
  expect(imported('10').notes).toContainEqual(
    expect.stringMatching(/^8:5: orchestrator\.coordination\.enable_planning_mode: .*conclave plan/),
  )
})

test('MCP servers in both forms, and rules for their tools', () => {
  expect(imported('06').config).toMatchObject({
    mcp_servers: {
      weather: { command: 'npx', args: ['-y', '@example/mcp-weather'] },
      search: { env: { SEARCH_API_KEY: '${SEARCH_API_KEY}', SEARCH_REGION: 'eu' } },
    },
    permissions: [
      { tool: 'mcp__search__*', action: 'deny' },
      { tool: 'mcp__search__web', action: 'ask' },
      { tool: 'mcp__weather__set_location', action: 'deny' },
    ],
  })
  expect(imported('07').config['mcp_servers']).toEqual({
    playwright: { command: 'npx', args: ['example-playwright-mcp'] },
    remote: {
      url: 'https://mcp.example.com/v1',
      headers: { Authorization: 'Bearer ${REMOTE_TOKEN}' },
      timeout_ms: 30_000,
    },
  })
  expect(imported('18').config['permissions']).toEqual([
    { tool: 'shell', action: 'deny' },
    { tool: 'shell', resource: 'git *', action: 'ask' },
    { tool: 'shell', resource: 'npm test*', action: 'ask' },
    { tool: 'shell', resource: 'rm -rf*', action: 'deny' },
  ])
})

test('no key is copied or shown; a server that needs one waits for the person', () => {
  const { config, yaml, notes } = imported('08')
  expect(`${yaml}${notes.join('\n')}`).not.toMatch(/THISIS|tok-|plain-|url-|head-/)
  expect(config['mcp_servers']).toEqual({
    chat: {
      command: 'npx',
      args: ['-y', 'chat-mcp', '--token', 'REPLACE_ME'],
      env: { CHAT_TOKEN: '${CHAT_TOKEN}' },
      enabled: false,
    },
    hosted: { url: 'https://mcp.example.com/', enabled: false },
    headed: { url: 'https://headed.example.com/mcp', headers: { Authorization: 'Bearer ${HEADED_TOKEN}' } },
  })
  expect(yaml).toContain('# an argument held a key; pass it with env')
  expect(notes).toContainEqual(expect.stringMatching(/^6:7: agents\.0\.backend\.api_key: .*OPENAI_API_KEY/))
})

test('a long tail of unknown keys is reported key by key and changes nothing', () => {
  const { config, notes } = imported('19')
  expect(config).toEqual({
    agents: [
      { id: 'a', backend: { type: 'gemini', model: 'gemini-2.5-flash', temperature: 0.2 } },
      { id: 'b', backend: { type: 'gemini', model: 'gemini-2.5-flash' } },
    ],
    orchestrator: { voting_sensitivity: 'lenient', broadcast: 'agents' },
  })
  for (const start of ['10:5: agents.0.zest', '27:3: orchestrator.frobnicate', '30:1: hooks', '31:1: 42'])
    expect(notes).toContainEqual(expect.stringMatching(new RegExp(`^${start.replaceAll('.', '\\.')}: `)))
})

test('a value that our schema refuses is left out and said', () => {
  const { config, notes } = imported('20')
  expect(config).not.toHaveProperty('timeout_settings')
  expect(notes).toContainEqual(
    '15:3: timeout_settings.orchestrator_timeout_seconds: expected a number above 0, found -5',
  )
  expect(config).toMatchObject({
    orchestrator: { interactive_mode: { require_approval: false, backend: { api_key_env: 'MY_KEY' } } },
    ui: { theme: 'dark' },
  })
})

test('a known key with a value of the wrong kind is said too, never dropped in silence', () => {
  const { config, notes } = importText(`agents:
  - id: a
    system_message: [be, kind]
    backend:
      type: openai
      model: 5
      api_key_env: [KEY]
      command_line_execution_mode: Docker
      command_line_blocked_commands: { rm: true }
      exclude_tools: [mcp__x__y, 7]
orchestrator:
  voting_sensitivity: 3
  fairness_lead_cap_answers: two
  context_paths:
    - { path: src, permission: WRITE }
    - { permission: write }
ui: { theme: neon }
consumption_settings: { max_total_tokens: many, per_agent_limits: [1] }
context_paths: src
`)
  expect(config).toEqual({
    agents: [{ id: 'a', backend: { type: 'openai' } }],
    orchestrator: { context_paths: [{ path: 'src' }] },
    permissions: [{ tool: 'mcp__x__y', action: 'deny' }],
  })
  expect(notes).toEqual([
    '3:5: agents.0.system_message: expected a string, found a list',
    '6:7: agents.0.backend.model: expected a string, found 5',
    '7:7: agents.0.backend.api_key_env: expected a string, found a list',
    '8:7: agents.0.backend.command_line_execution_mode: expected docker or local, found "Docker"',
    '9:7: agents.0.backend.command_line_blocked_commands: expected a list of strings, found a map',
    '10:7: agents.0.backend.exclude_tools: expected a string, found 7',
    '12:3: orchestrator.voting_sensitivity: expected a string, found 3',
    '13:3: orchestrator.fairness_lead_cap_answers: expected a number, found "two"',
    '15:20: orchestrator.context_paths.0.permission: expected read or write, found "WRITE"; it is read',
    '16:7: orchestrator.context_paths.1: it has no path',
    '17:7: ui.theme: expected light or dark, found "neon"',
    '18:25: consumption_settings.max_total_tokens: expected a number, found "many"',
    '18:49: consumption_settings.per_agent_limits: it is not a map',
    '19:1: context_paths: it is not a list',
  ])
})

test('the command writes to stdout, overwrites nothing, and refuses what is none of these files', async () => {
  const program = new Program({
    'm.yaml': sourceOf(names[0] ?? ''),
    'there.yaml': 'x',
    'other.yaml': 'a: [1\n',
  })
  const shown = await program.run(['config', 'import', 'm.yaml'])
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('type: anthropic') })
  const kept = await program.run(['config', 'import', 'm.yaml', '-o', 'there.yaml'])
  expect(kept).toMatchObject({ code: 42, stderr: expect.stringContaining('--force') })
  expect(readFileSync(join(program.folder, 'there.yaml'), 'utf8')).toBe('x')
  expect(await program.run(['config', 'import', 'other.yaml'])).toMatchObject({
    code: 52,
    stderr: expect.stringMatching(/other\.yaml:\d:\d/),
  })
  expect(await program.run(['config', 'import', 'there.yaml'])).toMatchObject({ code: 52 })
  expect(await program.run(['config', 'import'])).toMatchObject({ code: 2 })
})

test('config schema prints a JSON Schema that editors take', async () => {
  const { code, stdout } = await new Program().run(['config', 'schema'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    $schema: 'http://json-schema.org/draft-07/schema#',
    required: ['agents'],
    additionalProperties: false,
    properties: { orchestrator: { properties: { fairness_lead: { default: null } } } },
  })
})
