import fc from 'fast-check'
import { Exit } from '../../src/cli/exit-codes.ts'
import { parseArgs } from '../../src/cli/args.ts'
import { flags } from '../../src/cli/flags.ts'
import { parseConfig } from '../../src/config/load.ts'
import { importMassgen } from '../../src/config/massgen/import-massgen.ts'

export interface FuzzResult {
  inputs: number
  refused: number
  accepted: number
  /** Of the processor. */
  slowest_ms: number
}

/**
 * Generated YAML, JSON and command lines: each is taken, or refused with a place (a config) or a sentence (a command
 * line). Nothing throws anything else, nothing reaches a prototype, and nothing takes long. By hand:
 * sh scripts/node.sh test/config/fuzz.ts 100000
 */
export function fuzz(inputs: number, seed?: number): FuzzResult {
  const result: FuzzResult = { inputs: 0, refused: 0, accepted: 0, slowest_ms: 0 }
  const input = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('config' as const), text: source }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('massgen' as const), text: source }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('command line' as const), words: commandLine }) },
  )
  fc.assert(
    fc.property(input, (given) => {
      const began = processorMs()
      const taken =
        given.kind === 'command line' ? tryCommandLine(given.words) : tryConfig(given.kind, given.text)
      result.slowest_ms = Math.max(result.slowest_ms, processorMs() - began)
      result.inputs++
      if (taken) result.accepted++
      else result.refused++
      if ('polluted' in {}) throw new Error('a prototype was reached')
    }),
    { numRuns: inputs, ...(seed !== undefined && { seed }) },
  )
  return result
}

/** Time of the processor: other programs on this machine do not count. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function tryConfig(kind: 'config' | 'massgen', text: string): boolean {
  const read = kind === 'config' ? parseConfig('c.yaml', text) : importMassgen('m.yaml', text)
  if (read.ok) {
    if ('yaml' in read && !parseConfig('out.yaml', read.yaml).ok) throw new Error('the import does not check')
    return true
  }
  if (read.problems.length === 0) throw new Error('refused without a problem')
  for (const { line, column, message } of read.problems) {
    if (!(line >= 1 && column >= 1 && message !== '')) throw new Error('a problem without a place')
  }
  return false
}

function tryCommandLine(words: string[]): boolean {
  try {
    parseArgs(words)
    return true
  } catch (error) {
    if (error instanceof Exit && error.code === 2 && error.message !== '') return false
    throw error
  }
}

const words = fc.constantFrom(
  ...[
    'agents',
    'agent',
    'id',
    'backend',
    'type',
    'model',
    'orchestrator',
    'budget',
    'mcp_servers',
    'context_paths',
  ],
  ...[
    'permission',
    'interactive_mode',
    'timeout_settings',
    'permissions',
    'coordination',
    'env',
    'headers',
    'url',
  ],
  ...[
    'rehearsal',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    '<<',
    '*a',
    '&a',
    '!!binary',
    '!x',
    '? x',
  ],
  ...[
    '|',
    '>-',
    '"',
    "'",
    '#',
    '%',
    '~',
    'null',
    '.nan',
    '-.inf',
    '0x1F',
    '1e999',
    'true',
    '2001-01-01',
    '---',
    '...',
  ],
  ...[
    '\t',
    '\u0000',
    '\ufeff',
    '\u2028',
    '-1',
    '0',
    '',
    '--config',
    '-p',
    '=',
    'sk-0123456789abcdef0123',
    '{ polluted: 1 }',
  ],
)

const value: fc.Arbitrary<unknown> = fc.oneof(fc.jsonValue({ maxDepth: 3 }), words)

/** The shape of a config, with anything at all in its places. */
const backend = fc.record(
  {
    type: fc.oneof(words, fc.constant('rehearsal')),
    model: value,
    base_url: value,
    env: value,
    mcp_servers: value,
  },
  { requiredKeys: [] },
)
const agents = fc.array(
  fc.oneof(value, fc.record({ id: value, backend: fc.oneof(value, backend) }, { requiredKeys: [] })),
  {
    maxLength: 3,
  },
)
const shaped = fc
  .record(
    {
      agents: fc.oneof(value, agents),
      agent: value,
      orchestrator: fc.oneof(value, fc.dictionary(words, value)),
      execution: value,
      timeout_settings: fc.oneof(value, fc.dictionary(words, value)),
      mcp_servers: fc.dictionary(words, fc.dictionary(words, value)),
      extra: value,
    },
    { requiredKeys: [] },
  )
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

/** Few things, very often: brackets, anchors, dashes. */
const towers = fc
  .tuple(
    fc.constantFrom('[', '{', '- ', '? ', '[]', '&a ', '*a ', '"', ',', 'a: ', ']', '!x ', '---\n', 'a: 1\n'),
    fc.nat({ max: 1200 }),
  )
  .map(([part, times]) => part.repeat(times))

const bomb = fc.tuple(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 2, max: 9 })).map(([levels, width]) =>
  [
    'a0: &a0 [x, x]',
    ...Array.from({ length: levels }, (_, level) => {
      const alias = `*a${level}`
      return `a${level + 1}: &a${level + 1} [${Array.from({ length: width }, () => alias).join(', ')}]`
    }),
  ].join('\n'),
)

const good = 'agents:\n  - id: a\n    backend: { type: rehearsal }\n'
const source = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.oneof(
      lines,
      shaped,
      lines.map((text) => good + text),
    ),
  },
  { weight: 1, arbitrary: fc.oneof(towers, bomb, fc.string(), fc.string({ unit: 'binary' })) },
)

const flag = fc.constantFrom(...Object.keys(flags)).map((name) => `--${name}`)
const commandLine = fc.array(
  fc.oneof(
    flag,
    words,
    fc.string(),
    fc.tuple(flag, words).map(([name, text]) => `${name}=${text}`),
    fc.constantFrom('-p', '-m', '-x', '--', '-', '--='),
  ),
  { maxLength: 8 },
)

if (import.meta.main) process.stdout.write(`${JSON.stringify(fuzz(Number(process.argv[2] ?? 100_000)))}\n`)
