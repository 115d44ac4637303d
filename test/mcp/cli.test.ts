import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder, writeFiles } from '../support/workbench.ts'
import { hostileServer } from './support.ts'

const program = join(import.meta.dirname, '../../bin/conclave')

interface Home {
  folder: string
  marker: string
  servers: object
}

/** A folder with a script whose model calls the tool "touch" of the server s. */
function makeHome(): Home {
  const folder = temporaryFolder()
  const marker = join(folder, 'marker')
  const replies = [{ calls: [{ name: 'mcp__s__touch', input: {} }] }, { text: 'Over.' }]
  writeFiles(folder, { 'script.json': JSON.stringify({ replies }) })
  return { folder, marker, servers: { s: hostileServer('good', marker) } }
}

function conclave({ folder }: Home, ...args: string[]) {
  const home = join(folder, 'home')
  const data = ['--data-dir', join(folder, 'data')]
  const { stdout, stderr, status } = spawnSync(program, ['-p', 'touch it', '-C', folder, ...data, ...args], {
    encoding: 'utf8',
    input: '',
    env: { PATH: process.env['PATH'], HOME: home, XDG_CACHE_HOME: join(folder, 'cache') },
  })
  return { stdout, stderr, status }
}

const agents = [{ id: 'a', backend: { type: 'scripted', file: 'script.json' } }]

test('conclave -p offers the tools of mcp_servers, and goes on without a server that fails', () => {
  const home = makeHome()
  const config = join(home.folder, 'mine.yaml')
  const mcp_servers = { ...home.servers, gone: { command: 'no-such-program' } }
  writeFileSync(config, JSON.stringify({ agents, mcp_servers }))
  const run = conclave(home, '--config', config, '--permission-mode', 'auto')
  expect(run).toMatchObject({ stdout: 'Over.\n', status: 0 })
  expect(run.stderr).toMatch(/conclave: the MCP server gone: .*no-such-program/)
  expect(readFileSync(home.marker, 'utf8')).toBe('touched\n')

  const denied = conclave(home, '--config', config)
  expect(denied.status).toBe(0)
  expect(readFileSync(home.marker, 'utf8')).toBe('touched\n')
})

test('P3 servers named by the folder itself do not start while it is not trusted', () => {
  const home = makeHome()
  writeFiles(home.folder, {
    'conclave.yaml': JSON.stringify({ agents, mcp_servers: home.servers }),
    '.mcp.json': JSON.stringify({ mcpServers: home.servers }),
  })
  conclave(home, '--permission-mode', 'auto')
  expect(existsSync(home.marker)).toBe(false)
  expect(existsSync(join(home.folder, 'data', 'mcp-tools'))).toBe(false)
})

test('#34 a changed definition is left out of a headless run, with a warning', () => {
  const home = makeHome()
  const definition = join(home.folder, 'tools.json')
  const define = (description: string) =>
    writeFileSync(
      definition,
      JSON.stringify([{ name: 'touch', description, inputSchema: { type: 'object' } }]),
    )
  const config = join(home.folder, 'mine.yaml')
  writeFileSync(config, JSON.stringify({ agents, mcp_servers: { s: hostileServer('defined', definition) } }))
  const run = () =>
    conclave(home, '--config', config, '--permission-mode', 'auto', '--output-format', 'stream-json')
  define('Touches.')
  const first = run()
  expect(first.stderr).not.toContain('left out')
  expect(first.stdout).toContain('"name":"mcp__s__touch"')
  define('Touches!')
  const second = run()
  expect(second.stderr).toContain('its tool touch is not what it was since its tools were accepted')
  expect(second.stdout).toContain('There is no tool called mcp__s__touch')
})

test('a wrong entry of mcp_servers is reported where it stands', () => {
  const home = makeHome()
  const config = join(home.folder, 'mine.yaml')
  const lines = ['agents: [{ id: a, backend: { type: rehearsal } }]', 'mcp_servers:', '  s:', '    comand: x']
  writeFileSync(config, lines.join('\n'))
  const run = conclave(home, '--config', config)
  expect(run.status).toBe(52)
  expect(run.stderr).toMatch(/mine\.yaml:4:5: mcp_servers\.s\.comand is not a known key/)
  expect(run.stderr).toContain('did you mean command?')
  writeFileSync(config, [...lines.slice(0, 3), '    command: x', '    url: http://h/'].join('\n'))
  expect(conclave(home, '--config', config).stderr).toContain('needs either a command or a url')
})
