import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sandboxShell } from '../../src/adapters/shell/sandbox-shell.ts'
import { toArray } from '../../src/core/list.ts'
import type { Shell } from '../../src/ports/shell.ts'
import type { ChatMode } from '../../src/schema/chat-config.ts'
import { testWith } from '../support/needs.ts'
import { temporaryFolder } from '../support/workbench.ts'
import { type Outcome, attack } from './support.ts'

const commands = [
  'echo stolen > a.txt',
  'echo stolen >> a.txt',
  'echo stolen >| a.txt',
  'cat a.txt > b.txt',
  ': > a.txt',
  '>a.txt',
  'exec 3<>new.txt; echo x >&3',
  'ls 2> errors.txt',
  'cat <<EOF > new.txt\nx\nEOF',
  'echo x | tee new.txt',
  'cat a.txt && touch new.txt',
  'ls; rm -f a.txt',
  'ls $(touch new.txt)',
  'cat `touch new.txt`',
  'cat <(touch new.txt)',
  'cat a.txt > >(cat > new.txt)',
  'sed -i s/first/stolen/ a.txt',
  'perl -pi -e s/first/stolen/ a.txt',
  'find . -name a.txt -delete',
  'find . -name a.txt -exec touch {}.new ";"',
  'git init -q .',
  'bash -c "touch new.txt"',
  'env sh -c "touch new.txt"',
  "python3 -c \"open('new.txt','w')\"",
  'awk \'BEGIN { print "x" > "new.txt" }\'',
  'sort -o a.txt a.txt',
  'cp a.txt c.txt; mv c.txt a.txt',
  'ln -s a.txt l; ln a.txt h; mkdir d; mkfifo p',
  'chmod 600 a.txt; touch -d 2001-01-01 a.txt',
  'truncate -s 0 a.txt',
  'dd if=/dev/zero of=a.txt count=1',
  '(sleep 0.2; touch late.txt) & disown',
  'setsid -f sh -c "sleep 0.2; touch late.txt"',
  'nohup sh -c "sleep 0.2; touch late.txt" >/dev/null 2>&1 &',
]
const settled = () => new Promise((resolve) => setTimeout(resolve, 600))

/** Every command in a project of its own. */
async function each(mode: ChatMode, shell?: Shell): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const command of commands) {
    const replies = [{ calls: [{ name: 'shell', input: { command } }] }, { text: 'ok' }]
    outcomes.push(await attack(mode, { shell, replies }))
  }
  return outcomes
}

test('where nothing confines there is no shell in Plan mode, whatever the command', async () => {
  for (const [index, { turn, changed, bench }] of (await each('Plan')).entries()) {
    expect({ command: commands[index], changed }).toEqual({ command: commands[index], changed: [] })
    expect(toArray(turn.observations)).toMatchObject([{ tool: 'shell', success: false }])
    expect(bench.turnEvents().some(({ type }) => type === 'tool.called')).toBe(false)
  }
})

testWith(
  'bwrap',
  'a confined shell writes nothing, by redirection or otherwise, and leaves nothing running',
  async () => {
    const outcomes = await each('Plan', sandboxShell())
    await settled()
    for (const [index, { changed, bench }] of outcomes.entries()) {
      expect({ command: commands[index], changed }).toEqual({ command: commands[index], changed: [] })
      expect(existsSync(join(bench.folder, 'late.txt'))).toBe(false)
    }
    // It does run: what only looks works.
    const { turn } = await attack('Plan', {
      shell: sandboxShell(),
      replies: [{ calls: [{ name: 'shell', input: { command: 'cat a.txt | wc -l' } }] }, { text: 'ok' }],
    })
    expect(turn.observations?.last).toMatchObject({ success: true, output: expect.stringContaining('2') })
  },
)

testWith('bwrap', 'a confined shell writes nothing outside of the folder either', async () => {
  const outside = temporaryFolder()
  const command = `touch ${outside}/x; echo x > ${outside}/y; cd ${outside} && touch z; touch "$HOME/leak-test"`
  const replies = [{ calls: [{ name: 'shell', input: { command } }] }, { text: 'ok' }]
  await attack('Plan', { shell: sandboxShell(), replies })
  expect(['x', 'y', 'z'].filter((name) => existsSync(join(outside, name)))).toEqual([])
  await attack('Act', {
    replies: [{ calls: [{ name: 'shell', input: { command: `touch ${outside}/x` } }] }, { text: 'ok' }],
  })
  expect(existsSync(join(outside, 'x'))).toBe(true)
})

test('in Act mode these commands do change things, so the trials above mean something', async () => {
  const outcomes = await each('Act')
  const harmless = outcomes.flatMap(({ changed }, index) => (changed.length === 0 ? [commands[index]] : []))
  // Processes left behind are ended with their command, and not every machine has every program.
  const mayFail = /late\.txt|perl|python3|git init|mkfifo/
  expect(harmless.filter((command) => !mayFail.test(command ?? ''))).toEqual([])
})
