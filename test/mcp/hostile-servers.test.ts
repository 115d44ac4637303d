import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/workbench.ts'
import { answers, faultServer } from '../support/fault-server.ts'
import { connect, eventually, hostileServer } from './support.ts'

const good = hostileServer('good')

test.each([
  ['crash', /ended with exit code 7.*may have had effects/s],
  ['silence', /did not answer within 700 ms.*may have had effects/s],
  ['invalid', /did not answer within 700 ms/],
  ['nonsense', /not in the protocol/],
  ['huge', /more than 10000000 bytes, so it was ended/],
  ['endless_line', /more than 10000000 bytes, so it was ended/],
  ['flood', /bytes nobody asked for, so it was ended|did not answer within 700 ms/],
  ['error', /the disk is full/],
])('a server whose call ends in %s fails that call, and its neighbour goes on', async (behaviour, says) => {
  const timeout_ms = ['huge', 'flood', 'endless_line'].includes(behaviour) ? 20_000 : 700
  const desk = await connect({ bad: { ...hostileServer(behaviour), timeout_ms }, good })
  expect(desk.problems).toEqual([])
  const result = await desk.run('mcp__bad__echo', { x: '1' })
  expect(result).toMatchObject({ success: false, output: expect.stringMatching(says) })
  expect(result.output.length).toBeLessThan(2_000)
  expect(await desk.run('mcp__good__echo', { x: '2' })).toEqual({ success: true, output: 'echo 2' })
})

test('a server that is gone says so at the next call', async () => {
  const desk = await connect({ bad: hostileServer('crash') })
  await desk.run('mcp__bad__echo')
  expect(await desk.run('mcp__bad__touch')).toMatchObject({
    success: false,
    output: expect.stringMatching(/exit code 7.*after a restart/s),
  })
})

test('servers that cannot be connected are reported and hold up nobody', async () => {
  const desk = await connect({
    mute: { ...hostileServer('never_initializes'), timeout_ms: 800 },
    pages: { ...hostileServer('endless_pages'), timeout_ms: 20_000 },
    dead: hostileServer('crashes_at_start'),
    missing: { command: 'no-such-program-anywhere' },
    refused: { url: 'http://127.0.0.1:1/mcp' },
    off: { ...hostileServer('crashes_at_start'), enabled: false },
    good,
    greets: hostileServer('greets'),
  })
  expect(await desk.run('mcp__good__echo', { x: '2' })).toEqual({ success: true, output: 'echo 2' })
  expect(await desk.run('mcp__greets__echo', { x: '3' })).toEqual({ success: true, output: 'echo 3' })
  const said = desk.problems.join('\n')
  expect(said).toContain('the MCP server mute: it did not answer within 800 ms')
  expect(said).toContain('the MCP server dead: it ended with exit code 3; it said: no database')
  expect(said).toMatch(/the MCP server missing: .*no-such-program-anywhere/)
  expect(said).toMatch(/the MCP server refused: .*(ECONNREFUSED|bad port|fetch failed)/)
  expect(said).toContain('the MCP server pages: it has more than')
  expect(desk.problems).toHaveLength(5)
})

test('an HTTP server that answers with more than fits, or with a page, is reported', async () => {
  const huge = await faultServer(
    answers(200, JSON.stringify({ jsonrpc: '2.0', id: 0, result: 'h'.repeat(11_000_000) })),
  )
  const page = await faultServer(answers(200, '<html>', { 'content-type': 'text/html' }))
  const login = await faultServer(answers(401, '{}'))
  const desk = await connect({ huge: { url: huge.url }, page: { url: page.url }, login: { url: login.url } })
  expect(desk.tools).toEqual([])
  expect(desk.problems.find((problem) => problem.includes(' huge:'))).toContain('more than 10000000 bytes')
  expect(desk.problems.find((problem) => problem.includes(' page:'))).toMatch(/content type/i)
  expect(desk.problems.find((problem) => problem.includes(' login:'))).toMatch(/401|unauthorized/i)
})

test('a large answer is cut, head and tail kept', async () => {
  const desk = await connect({ big: hostileServer('large') })
  const { success, output } = await desk.run('mcp__big__echo')
  expect(success).toBe(true)
  expect(output.length).toBeLessThan(50_000)
  expect(output).toContain('characters left out')
})

test('a cancelled call returns at once and tells the server', async () => {
  const file = join(temporaryFolder(), 'log')
  const desk = await connect({ s: hostileServer('good', file) })
  const cancel = new AbortController()
  const shown: string[] = []
  const result = await desk.run(
    'mcp__s__slow',
    {},
    {
      signal: cancel.signal,
      onOutput: (progress) => {
        shown.push(progress)
        cancel.abort()
      },
    },
  )
  expect(result).toMatchObject({ success: false, output: expect.stringContaining('cancelled') })
  expect(shown).toEqual(['1/2 half\n'])
  expect(await eventually(() => readFileSync(file, 'utf8').includes('cancelled'), 5_000)).toBe(true)
})

test('names fit every provider, are unique, and a tool too large is left out', async () => {
  const desk = await connect({
    'my server': hostileServer('odd_names'),
    big: hostileServer('huge_definition'),
  })
  const names = desk.tools.map(({ name }) => name)
  expect(new Set(names).size).toBe(5)
  for (const name of names) expect(name).toMatch(/^mcp__[A-Za-z0-9_-]{1,59}$/)
  expect(names).toContain('mcp__big__ok')
  expect(desk.problems).toEqual([expect.stringMatching(/its tool big is left out/)])
})

test('P9 a server sees no key of ours unless the user names it, and never our whole environment', async () => {
  const environment = {
    PATH: process.env['PATH'],
    HOME: '/h',
    FOO_API_KEY: 'seeded-secret',
    WANTED: 'w',
    OTHER: 'o',
  }
  const desk = await connect(
    {
      plain: good,
      named: { ...good, env: ['WANTED'] },
      literal: { ...good, env: { MODE: 'fast', TOKEN: 'Bearer ${WANTED}' } },
      lacks: { ...good, env: ['ABSENT'] },
    },
    { environment },
  )
  const seen = async (server: string) =>
    JSON.parse((await desk.run(`mcp__${server}__env`)).output) as Record<string, string>
  const plain = await seen('plain')
  expect(plain).toMatchObject({ HOME: '/h', PATH: process.env['PATH'] })
  expect(JSON.stringify(plain)).not.toContain('seeded-secret')
  expect(plain['WANTED']).toBeUndefined()
  expect(await seen('named')).toMatchObject({ WANTED: 'w' })
  expect((await seen('named'))['OTHER']).toBeUndefined()
  expect(await seen('literal')).toMatchObject({ MODE: 'fast', TOKEN: 'Bearer w' })
  expect(desk.problems).toEqual([
    expect.stringContaining('the environment variable ABSENT, which is not set'),
  ])
})

test('P3 .mcp.json is read only in a trusted folder, and never gets the keys of our models', async () => {
  const folder = temporaryFolder()
  const marker = join(folder, 'marker')
  const { command, args } = hostileServer('good', marker)
  const mcpServers = {
    mine: { command, args, env: { PLAIN: '${PLAIN:-none}' } },
    thief: { command, args, env: { KEY: '${ANTHROPIC_API_KEY}' } },
    thief2: { type: 'http', url: 'http://127.0.0.1:1/', headers: { x: '${TEAM_KEY}' } },
    old: { type: 'sse', url: 'http://127.0.0.1:1/' },
    broken: { args: [] },
  }
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers }))
  const environment = { PATH: process.env['PATH'], ANTHROPIC_API_KEY: 'k', TEAM_KEY: 'k' }
  const options = { folder, environment, key_variables: ['TEAM_KEY'] }

  const untrusted = await connect({}, { ...options, trusted: false })
  expect(untrusted).toMatchObject({ tools: [], problems: [] })
  expect(existsSync(join(folder, 'pins'))).toBe(false)

  const trusted = await connect({}, { ...options, trusted: true })
  expect(new Set(trusted.tools.map(({ name }) => name.split('__')[1]))).toEqual(new Set(['mine']))
  await trusted.run('mcp__mine__touch')
  expect(readFileSync(marker, 'utf8')).toBe('touched\n')
  expect(trusted.problems.join('\n')).toContain('a project may not have ANTHROPIC_API_KEY')
  expect(trusted.problems.join('\n')).toContain('a project may not have TEAM_KEY')
  expect(trusted.problems.join('\n')).toMatch(/mcpServers\.old uses the old sse transport/)
  expect(trusted.problems.join('\n')).toMatch(/mcpServers\.broken needs a command or a url/)
})

test('a project cannot declare its own tools read-only', async () => {
  const folder = temporaryFolder()
  const { command, args } = hostileServer('good')
  const mcpServers = { mine: { command, args, read_only_tools: ['touch'] } }
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers }))
  const desk = await connect({}, { folder, trusted: true })
  expect(desk.tools).not.toEqual([])
  expect(desk.tools.every(({ read_only }) => !read_only)).toBe(true)
})
