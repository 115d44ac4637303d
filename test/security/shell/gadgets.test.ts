import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandboxShell } from '../../../src/adapters/shell/sandbox-shell.ts'
import { authorize } from '../../../src/core/policy/authorize.ts'
import type { ToolTraits } from '../../../src/schema/turn-event.ts'
import { analyzeCommand } from '../../../src/tools/shell-analysis.ts'
import { testWith } from '../../support/needs.ts'
import { type Gadget, gadgets } from './gadgets.ts'
import { World, missingPrograms } from './world.ts'

const AT_ONCE = 20
const FEWEST = 150

const missing = missingPrograms(gadgets.map(([, needs]) => needs))
const runnable = gadgets.filter(([, needs]) => !missing.includes(needs))
const groups = Array.from({ length: Math.ceil(runnable.length / AT_ONCE) }, (_, index) =>
  runnable.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
)

const shellTraits: ToolTraits = { name: 'shell', read_only: false, changes: 'anything', confinable: true }

describe('security 7: commands that look harmless and are not', () => {
  let world: World

  beforeAll(async () => {
    world = await World.make()
  }, 60_000)

  afterAll(() => world.close())

  async function attack([name, , command]: Gadget): Promise<string[]> {
    world.restore()
    const fired = await world.effects(() => world.unprotected(command))
    // Git writes down what it saw of the files' times; that is no attack.
    if (fired.every((effect) => effect.endsWith('.git/index'))) return [`${name}: does not fire at all`]
    world.restore()
    const effects = await world.effects(async () => {
      const result = await sandboxShell().run({
        command: world.fill(command),
        cwd: world.project,
        timeout_ms: 8_000,
        access: 'read',
        signal: new AbortController().signal,
      })
      if (result.ended_by === 'start_failed') throw new Error(`${name}: ${result.output}`)
      return result.output
    })
    return effects.map((effect) => `${name}: ${effect}`)
  }

  for (const [index, group] of groups.entries()) {
    const title = `${group.length} that fire unprotected do nothing where only looking is allowed (${index + 1})`
    testWith(['bwrap', 'git'], title, async () => {
      const problems: string[] = []
      for (const gadget of group) problems.push(...(await attack(gadget)))
      expect(problems).toEqual([])
    })
  }

  test('none may write without a question in Act mode', async () => {
    const allowed: string[] = []
    for (const [name, , command] of gadgets) {
      const call = { id: '1', name: 'shell', input: { command }, access: [await analyzeCommand(command)] }
      const authorization = authorize(call, shellTraits, {
        settings: { mode: 'Act', permission: 'ask', tools: [shellTraits] },
        files_changed: 0,
      })
      if (authorization.verdict === 'allow' && !authorization.confined) allowed.push(name)
    }
    expect(allowed).toEqual([])
  })

  test('enough of them can be tried here', () => {
    const untried = gadgets.filter(([, needs]) => missing.includes(needs))
    if (untried.length > 0) {
      const names = untried.map(([name, needs]) => `${name} (${needs})`).join(', ')
      console.log(`${runnable.length} of ${gadgets.length} gadgets tried; not here: ${names}`)
    }
    expect(runnable.length).toBeGreaterThanOrEqual(FEWEST)
  })
})
