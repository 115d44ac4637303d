import { expect, test } from 'vitest'
import { Program } from '../support/program.ts'

const good = 'agents:\n  - id: a\n    backend: { type: rehearsal }\n'

async function check(source: string) {
  const program = new Program({ 'conclave.yaml': source })
  const asked = await program.run(['-p', 'hi', '--config', './conclave.yaml'])
  expect(await program.run(['config', 'check', './conclave.yaml'])).toEqual(asked)
  expect(asked).toMatchObject({ code: 52, stdout: '' })
  expect(asked.stderr).not.toMatch(/^\s+at |node:internal/m)
  return asked.stderr
}

test('every problem is reported with its place, the line and a caret', async () => {
  const stderr = await check(`agents:
  - id: a
    backend: { type: opnai, model: x }
orchestrater: {}
`)
  expect(stderr).toContain(
    [
      `./conclave.yaml:4:1: orchestrater is not a known key`,
      '  4 | orchestrater: {}',
      '    | ^',
      '  did you mean orchestrator?',
    ].join('\n'),
  )
  expect(stderr).toMatch(
    /^conclave: \.\/conclave\.yaml:3:22: agents\.0\.backend\.type: .*\n {2}3 \| {5}backend: .*\n {4}\| {22}\^\n/,
  )
})

test.each([
  { what: 'a syntax error', source: 'agents: [\n', says: /conclave\.yaml:\d:\d+: Flow sequence/ },
  {
    what: 'a repeated key',
    source: `${good}agents: []\n`,
    says: /conclave\.yaml:4:1: Map keys must be unique/,
  },
  { what: '__proto__', source: `${good}__proto__: { a: 1 }\n`, says: /4:1: __proto__ is not a known key/ },
  { what: 'no agents', source: 'agents: []\n', says: /1:9: agents: needs at least one agent/ },
  { what: 'nothing in it', source: '', says: /conclave\.yaml:1:1: the file: / },
  { what: 'control characters', source: 'agents: "\u001b[31m\u0007"\n', says: /conclave\.yaml:1:/ },
])('a config with $what', async ({ source, says }) => {
  const stderr = await check(source)
  expect(stderr).toMatch(says)
  expect(stderr).not.toContain('\u001b')
})

test('a config that was named must exist', async () => {
  const { code, stderr } = await new Program().run(['-p', 'hi', '--config', 'missing.yaml'])
  expect({ code, stderr }).toEqual({ code: 52, stderr: 'conclave: there is no config file missing.yaml\n' })
})

test('config check says that a good config is good, and where there is none', async () => {
  const program = new Program({ 'good.yaml': good, 'other.yaml': 'agents: 1' })
  const fine = await program.run(['config', 'check', 'good.yaml'])
  expect(fine).toEqual({ code: 0, stdout: expect.stringContaining('good.yaml is fine: a\n'), stderr: '' })
  expect((await program.run(['config', 'check', 'other.yaml'])).code).toBe(52)
  expect((await program.run(['config', 'check', 'missing.yaml'])).stderr).toContain('cannot be read: ENOENT')
  const none = await program.run(['config', 'check'])
  expect(none).toMatchObject({ code: 52, stderr: expect.stringContaining('there is no config file here') })
  expect((await program.configure(good).run(['config', 'check'])).stdout).toContain(
    'config.yaml is fine: a\n',
  )
})

test('an agent that is not in the config is refused with those that are', async () => {
  const { code, stderr } = await new Program().configure(good).run(['-p', 'hi', '--single', 'b'])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/no agent "b" .*known: a/) })
})

test('a second start with the same config, and one after a change, see the config as it is', async () => {
  const source = (file: string) => `agents:\n  - id: a\n    backend: { type: scripted, file: "${file}" }\n`
  const program = new Program({ 's.json': '{"replies":[{"text":"scripted"}]}' })
  program.configure(source(`${program.folder}/s.json`))
  for (let start = 0; start < 2; start++) {
    expect(await program.run(['-p', 'hi'])).toEqual({ code: 0, stdout: 'scripted\n', stderr: '' })
  }
  const { code, stderr } = await program.configure(source('gone.json')).run(['-p', 'hi'])
  expect({ code, stderr }).toEqual({ code: 42, stderr: expect.stringMatching(/gone\.json cannot be read/) })
})
