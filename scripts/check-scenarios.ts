import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import type { ESTree } from 'rolldown/utils'

export interface Sources {
  /** docs/scenarios.md */
  scenarios: string
  /** docs/scenarios-owed.txt, now and in the last commit (absent when there is none). */
  owed: string
  owedBefore?: string
  /** vitest.config.ts */
  config: string
  /** Test files by path. */
  tests: Map<string, string>
}

/** Every scenario is kept by a test that really runs, or is on the list of those owed, which only gets shorter. */
export function checkScenarios({ scenarios, owed, owedBefore, config, tests }: Sources): string[] {
  const known = [...scenarios.matchAll(/^- ([A-Z]+-\d+\.\d+): \S/gm)].map(([, id = '']) => id)
  const owedIds = listed(owed)
  const problems = [
    ...duplicates(known).map((id) => `${id} is twice in scenarios.md`),
    ...duplicates(owedIds).map((id) => `${id} is twice in the owed list`),
    ...owedIds.filter((id) => !known.includes(id)).map((id) => `${id} is owed but not in scenarios.md`),
  ]
  if (known.length === 0) problems.push('scenarios.md lists no scenarios')
  if (owedBefore !== undefined) {
    const before = listed(owedBefore)
    const added = owedIds.filter((id) => !before.includes(id))
    for (const id of added) problems.push(`${id} was added to the owed list, which may only get shorter`)
  }
  if (!requiresAssertions(config)) problems.push('vitest.config.ts must set expect.requireAssertions to true')

  const prefixes = new Set(known.map((id) => id.split('-')[0]))
  const kept = new Set<string>()
  for (const [file, text] of tests) {
    for (const { title, weakness } of findTests(file, text)) {
      const [id, prefix, dotted] = /^([A-Z]+)-\d+(\.\d+)?(?![\w.])/.exec(title) ?? []
      if (!id || !(dotted || prefixes.has(prefix))) continue
      if (!known.includes(id)) problems.push(`${file}: "${title}": ${id} is not in scenarios.md`)
      else if (weakness) problems.push(`${file}: "${title}" may not run or may not count: ${weakness}`)
      kept.add(id)
    }
  }
  for (const id of known) {
    if (!kept.has(id) && !owedIds.includes(id)) problems.push(`${id} has no test and is not owed`)
    if (kept.has(id) && owedIds.includes(id)) problems.push(`${id} has a test; take it off the owed list`)
  }
  return problems
}

const listed = (text: string): string[] =>
  text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

const duplicates = (ids: string[]): string[] => ids.filter((id, index) => ids.indexOf(id) !== index)

function requiresAssertions(config: string): boolean {
  let on = false
  new Visitor({
    Property({ key, value }) {
      if (key.type !== 'Identifier' || key.name !== 'requireAssertions') return
      on = value.type === 'Literal' && value.value === true
    },
  }).visit(parseSync('vitest.config.ts', config).program)
  return on
}

interface FoundTest {
  title: string
  /** Why a green run does not prove that this test ran. */
  weakness?: string
}

/** Which argument is the title. `testWith` may leave a test out, but says so and fails in CI. */
const titleAt: Record<string, number> = { test: 0, it: 0, testWith: 1 }
const suites = ['describe', 'suite']
const weakening = ['skip', 'skipIf', 'runIf', 'todo', 'fails', 'only']

function findTests(file: string, text: string): FoundTest[] {
  const found: FoundTest[] = []
  /** What surrounds the current node and weakens the tests inside it, outermost first; empty text where nothing does. */
  const around: string[] = []
  let inside: FoundTest | undefined
  const enter = (what: string) => (): void => void around.push(what)
  const leave = (): void => void around.pop()

  new Visitor({
    CallExpression(call) {
      const { root, modifiers } = unwind(call)
      const isSuite = suites.includes(root)
      around.push(isSuite && modifiers.length > 0 ? `inside describe with ${modifiers[0]}` : '')
      const title = titleOf(call.arguments[titleAt[root] ?? -1])
      if (title !== undefined) {
        inside = { title }
        found.push(inside)
        const weakness = modifiers[0] ?? around.findLast((what) => what !== '') ?? withoutBody(call)
        if (weakness) inside.weakness = weakness
      } else if (inside && calledName(call) === 'skip') inside.weakness ??= 'skip() in its body'
    },
    'CallExpression:exit'(call) {
      around.pop()
      if (inside && titleOf(call.arguments[titleAt[unwind(call).root] ?? -1]) !== undefined)
        inside = undefined
    },
    IfStatement: enter('inside an if'),
    'IfStatement:exit': leave,
    ConditionalExpression: enter('inside a condition'),
    'ConditionalExpression:exit': leave,
    LogicalExpression: enter('inside a condition'),
    'LogicalExpression:exit': leave,
  }).visit(parseSync(file, text).program)
  return found
}

/** `test.skipIf(x).each([…])('title', { todo: true }, …)` → test, with the words that may keep it from running. */
function unwind(call: ESTree.CallExpression): { root: string; modifiers: string[] } {
  const words: string[] = []
  for (const argument of call.arguments) {
    if (argument.type !== 'ObjectExpression') continue
    for (const property of argument.properties) {
      if (property.type === 'Property' && property.key.type === 'Identifier') words.push(property.key.name)
    }
  }
  let callee: ESTree.Expression = call.callee
  for (;;) {
    if (callee.type === 'CallExpression') callee = callee.callee
    else if (callee.type === 'TaggedTemplateExpression') callee = callee.tag
    else if (callee.type === 'MemberExpression') {
      if (callee.property.type === 'Identifier') words.push(callee.property.name)
      if (callee.property.type === 'Literal') words.push(String(callee.property.value))
      callee = callee.object
    } else break
  }
  const root = callee.type === 'Identifier' ? callee.name : ''
  return { root, modifiers: words.filter((word) => weakening.includes(word)) }
}

function titleOf(argument: ESTree.Argument | undefined): string | undefined {
  if (argument?.type === 'Literal' && typeof argument.value === 'string') return argument.value
  return argument?.type === 'TemplateLiteral' ? (argument.quasis[0]?.value.cooked ?? '') : undefined
}

function withoutBody(call: ESTree.CallExpression): string | undefined {
  const last = call.arguments.slice(1).some(({ type }) => type !== 'ObjectExpression' && type !== 'Literal')
  return last ? undefined : 'it has no body'
}

function calledName({ callee }: ESTree.CallExpression): string {
  const name = callee.type === 'MemberExpression' ? callee.property : callee
  return name.type === 'Identifier' ? name.name : ''
}

function readSources(root: string): Sources {
  const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8')
  const tests = new Map<string, string>()
  for (const folder of ['src', 'test']) {
    for (const name of fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const file = `${folder}/${name}`
      if (file.endsWith('.test.ts')) tests.set(file, read(file))
    }
  }
  const before = spawnSync('git', ['show', 'HEAD:docs/scenarios-owed.txt'], { cwd: root, encoding: 'utf8' })
  return {
    scenarios: read('docs/scenarios.md'),
    owed: read('docs/scenarios-owed.txt'),
    ...(before.status === 0 ? { owedBefore: before.stdout } : {}),
    config: read('vitest.config.ts'),
    tests,
  }
}

if (import.meta.main) {
  const problems = checkScenarios(readSources(path.join(import.meta.dirname, '..')))
  for (const problem of problems) console.log(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
