import { describe, expect, it } from 'vitest'
import { authorize } from '../../../src/core/policy/authorize.ts'
import type { ToolTraits, TurnSettings } from '../../../src/schema/turn-event.ts'
import { analyzeCommand } from '../../../src/tools/shell-analysis.ts'
import { Workbench } from '../../support/workbench.ts'

const traits: ToolTraits = { name: 'shell', read_only: false, changes: 'anything', confinable: true }

async function decide(command: string, more: Partial<TurnSettings> = {}) {
  const call = { id: '1', name: 'shell', input: { command }, access: [await analyzeCommand(command)] }
  const settings = { mode: 'Act' as const, permission: 'ask' as const, tools: [traits], ...more }
  return authorize(call, traits, { settings, files_changed: 0 })
}

const many = Array.from({ length: 10_000 }, (_, index) => `echo ${index}`).join('; ')
const denyRm: Partial<TurnSettings> = {
  permission: 'auto',
  rules: [
    { tool: 'shell', action: 'allow' },
    { tool: 'shell', resource: 'rm *', action: 'deny' },
  ],
}

describe('security 8: whatever a command consists of', () => {
  it('a deny rule holds for the last of 10,000 commands, wherever it hides', async () => {
    for (const last of ['rm -rf x', '/bin/rm -rf x', `r'm' -rf x`, '$(rm -rf x)', `bash -c "rm -rf x"`]) {
      expect(await decide(`${many}; ${last}`, denyRm), last).toMatchObject({ verdict: 'deny' })
    }
    expect(await decide(many, denyRm)).toEqual({ verdict: 'allow', confined: false })
  })

  it.each([
    'echo x | xargs rm -f',
    'find . -exec rm -f {} +',
    'sudo -u nobody rm -f x',
    'env A=1 timeout 5 nice rm -f x',
    'cat <(rm -f x)',
    'echo `rm -f x`',
    'bash <<EOF\nrm -f x\nEOF',
    'cat <<EOF\n$(rm -f x)\nEOF',
    "eval 'rm -f x'",
    "trap 'rm -f x' EXIT",
    'if true; then rm -f x; fi',
    'f() { rm -f x; }; f',
    'x=$(rm -f x) ls',
    '[[ -n $(rm -f x) ]]',
    'echo ${y:-$(rm -f x)}',
    'case a in a) rm -f x;; esac',
    String.raw`\rm -f x`,
    `"rm" -f x`,
    `bash -c "sh -c 'rm -f x'"`,
  ])('a deny rule finds its program in %j', async (command) => {
    expect(await decide(command, denyRm)).toMatchObject({ verdict: 'deny' })
  })

  it('an allow rule covers no more than it says', async () => {
    const rules = { rules: [{ tool: 'shell', resource: 'npm test*', action: 'allow' as const }] }
    expect(await decide('npm test -- --watch=false', rules)).toEqual({ verdict: 'allow', confined: false })
    for (const more of [
      'npm test; rm x',
      'npm test > .bashrc',
      'npm test $(rm x)',
      'X=1 npm test',
      './npm test',
      '"npm test" x',
    ])
      expect(await decide(more, rules), more).toMatchObject({ verdict: 'ask' })
  })

  it.each([
    'if',
    'echo "',
    'ls (',
    '{ ls',
    '$('.repeat(10_000),
    'a'.repeat(300_000),
    'cat <<A '.repeat(5_000),
  ])('what cannot be taken apart asks in Act mode and does not run in Plan mode (%#)', async (command) => {
    const access = await analyzeCommand(command)
    expect(access).toMatchObject({ parts: [], looks_read_only: false })
    expect(await decide(command)).toMatchObject({ verdict: 'ask' })
    const bench = new Workbench({
      shell: { confines: true, run: () => Promise.reject(new Error('it ran')) },
      replies: [{ calls: [{ name: 'shell', input: { command } }] }, { text: 'done' }],
    })
    const turn = await bench.run('go', { mode: 'Plan' })
    expect(turn.observations?.last).toMatchObject({ tool: 'shell', success: false })
    expect(turn.outcome).toBe('complete')
  })

  it('takes no more than its share of time for 10,000 commands or a megabyte', async () => {
    await analyzeCommand('ls')
    const hostile: [string, number, (count: number) => string][] = [
      ['many commands', 10_000, (count) => `${'echo x; '.repeat(count)}rm -rf x`],
      ['no commands', 500_000, (count) => 'a;'.repeat(count)],
      ['nested substitutions', 60_000, (count) => '"$('.repeat(count)],
      ['here documents', 100_000, (count) => 'cat <<A '.repeat(count)],
      ['open groups', 100_000, (count) => '{ '.repeat(count)],
    ]
    for (const [name, count, make] of hostile) {
      const [little, much] = [await leastWork(make(count / 10)), await leastWork(make(count))]
      // Ten times as much takes ten times as long, not a hundred times; what is very quick is lost in the noise.
      expect(much, name).toBeLessThan(40 * Math.max(little, 1))
    }
  })
})

/** Milliseconds of CPU of the best of a few tries. */
async function leastWork(command: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const before = process.cpuUsage()
    await analyzeCommand(command)
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1_000)
  }
  return Math.min(...times)
}
