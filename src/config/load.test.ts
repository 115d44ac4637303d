import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/workbench.ts'
import { loadConfig, parseConfig } from './load.ts'

/** What is wrong with a source, as `line:column: message (suggestion)`. */
function problemsOf(source: string): string[] {
  const loaded = parseConfig('c.yaml', source)
  if (loaded.ok) return []
  return loaded.problems.map(
    ({ line, column, message, suggestion }) =>
      `${line}:${column}: ${message}${suggestion ? ` (${suggestion})` : ''}`,
  )
}

const agent = 'agents:\n  - id: a\n    backend: { type: rehearsal }\n'

test('fills in what a small config leaves out', () => {
  const loaded = parseConfig('c.yaml', agent)
  expect(loaded).toMatchObject({
    ok: true,
    config: {
      agents: [{ id: 'a', backend: { type: 'rehearsal' } }],
      orchestrator: { final_answer_strategy: 'winner_present', context_paths: [] },
      timeout_settings: { orchestrator_timeout_seconds: 1800 },
    },
  })
})

test('takes a byte order mark, CRLF and anchors', () => {
  const source = `\ufeffagents:\r\n  - id: a\r\n    backend: &b { type: rehearsal }\r\n  - id: b\r\n    backend: *b\r\n`
  expect(parseConfig('c.yaml', source)).toMatchObject({ ok: true, config: { agents: [{}, { id: 'b' }] } })
})

test('knows backends by the names that MassGen gives them', () => {
  const source = 'agents:\n  - id: a\n    backend: { type: claude, model: x }\n'
  expect(parseConfig('c.yaml', source)).toMatchObject({
    ok: true,
    config: { agents: [{ backend: { type: 'anthropic' } }] },
  })
})

test('reports every problem, in the order of the file, with what was meant', () => {
  const source = `agents:
  - id: "bad id"
    backend: { type: opnai, modle: x }
  - backend: { type: openai_compatible, base_url: ftp://x }
orchestrator:
  max_new_answers_per_agent: -1
  final_answer_strategy: winer_reuse
extra: 1
`
  expect(problemsOf(source)).toEqual([
    expect.stringMatching(/^2:9: agents\.0\.id: must start with a letter.*"bad id"/),
    expect.stringMatching(/^3:22: agents\.0\.backend\.type: .*"opnai".*\(did you mean openai\?\)$/),
    '3:29: agents.0.backend.modle is not a known key (did you mean model?)',
    expect.stringMatching(/^4:5: agents\.1\.id: /),
    expect.stringMatching(/^4:51: agents\.1\.backend\.base_url: /),
    expect.stringMatching(/^6:30: orchestrator\.max_new_answers_per_agent: .*-1/),
    expect.stringMatching(/^7:26: orchestrator\.final_answer_strategy: .*\(did you mean winner_reuse\?\)$/),
    expect.stringMatching(/^8:1: extra is not a known key/),
  ])
})

test('reports syntax errors, repeated keys and repeated ids at their place', () => {
  expect(problemsOf('agents: [')[0]).toMatch(/^1:\d+: Flow sequence/)
  expect(problemsOf(`${agent}agents: []\n`)).toEqual([expect.stringMatching(/^4:1: Map keys must be unique/)])
  expect(problemsOf(`${agent}  - id: a\n    backend: { type: rehearsal }\n`)).toEqual([
    '4:9: agents.1.id: "a" is used twice',
  ])
  expect(problemsOf('a: 1\n---\nb: 2\n')[0]).toMatch(/multiple documents/)
})

test('reports a file that is no map', () => {
  for (const source of ['', '# nothing\n', 'hello', '- 1', '42', 'null']) {
    expect(problemsOf(source), JSON.stringify(source)).toEqual([
      expect.stringMatching(/^\d+:\d+: the file: /),
    ])
  }
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('knows no key %s', (key) => {
  const bare = problemsOf(`${agent}${key}: { polluted: true }\n`)
  expect(bare).toEqual([expect.stringContaining(`4:1: ${key} is not a known key`)])
  const nested = problemsOf(
    `agents:\n  - id: a\n    ${key}: {}\n    backend: { type: rehearsal, ${key}: 1 }\n`,
  )
  expect(nested).toHaveLength(2)
  expect({}).not.toHaveProperty('polluted')
})

test('refuses a bomb of anchors and a tower of brackets', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
  for (let depth = 1; depth < 9; depth++) {
    const [before, name] = [String.fromCharCode(96 + depth), String.fromCharCode(97 + depth)]
    bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`)
  }
  expect(problemsOf(bomb.join('\n'))).toEqual([expect.stringMatching(/alias/i)])
  expect(problemsOf('['.repeat(50_000)).length).toBeGreaterThan(0)
  expect(problemsOf(`a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`).length).toBeGreaterThan(0)
})

test('says so when the file cannot be read', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'folder.yaml'))
  writeFileSync(join(folder, 'large.yaml'), `${agent}# ${'x'.repeat(1_000_001)}`)
  const problem = (name: string) => {
    const loaded = loadConfig(join(folder, name))
    return loaded.ok ? undefined : loaded.problems[0]?.message
  }
  expect(problem('missing.yaml')).toMatch(/cannot be read: ENOENT/)
  expect(problem('folder.yaml')).toMatch(/cannot be read: EISDIR/)
  expect(problem('large.yaml')).toMatch(/is larger than/)
  chmodSync(join(folder, 'large.yaml'), 0o600)
})

test('never throws, and every problem has a place in the file', () => {
  const words = fc.constantFrom(
    ...['agents', 'id', 'backend', 'type', 'orchestrator', 'budget', 'mcp_servers', 'context_paths'],
    ...['rehearsal', '__proto__', '<<', '*a', '&a', '!!binary', '!x', '? x', '|', '>-', '"', "'", '#', '%'],
    ...['~', 'null', '.nan', '-.inf', '0x1F', '1e999', 'true', '2001-01-01', '---', '...', '\t', '\u0000'],
  )
  const value: fc.Arbitrary<unknown> = fc.oneof(fc.jsonValue({ maxDepth: 3 }), words)
  const shaped = fc
    .record({ agents: value, orchestrator: value, execution: value, extra: value }, { requiredKeys: [] })
    .map((object) => JSON.stringify(object, undefined, 1))
  const lines = fc
    .array(
      fc
        .tuple(
          fc.nat({ max: 6 }),
          fc.constantFrom('', '- ', '{', '['),
          words,
          fc.constantFrom(': ', ':', '', ', '),
          words,
        )
        .map(([indent, ...parts]) => ' '.repeat(indent) + parts.join('')),
      { maxLength: 10 },
    )
    .map((all) => all.join('\n'))
  const source = fc.oneof(lines, shaped, fc.string(), fc.string({ unit: 'binary' }))
  let refused = 0
  fc.assert(
    fc.property(source, (text) => {
      const loaded = parseConfig('c.yaml', text)
      if (loaded.ok) return true
      refused++
      return (
        loaded.problems.length > 0 &&
        loaded.problems.every(({ line, column, message }) => line >= 1 && column >= 1 && message !== '')
      )
    }),
    { numRuns: 2000 },
  )
  expect(refused).toBeGreaterThan(1000)
})
