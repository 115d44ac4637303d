import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { commandWords, flagWords } from '../../src/cli/completion/words.ts'
import { testWith } from '../support/needs.ts'
import { Program } from '../support/program.ts'

const launcher = join(import.meta.dirname, '../../bin/conclave')

const environment = ({ home }: Program): Record<string, string> => ({
  PATH: `${dirname(launcher)}:${process.env['PATH']}`,
  HOME: home,
})

/** What bash offers for a line, its last word being completed. */
function offered(program: Program, ...line: string[]): string[] {
  const script = `
    source <(conclave completion bash)
    compopt() { :; }
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    _conclave
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const words = ['bash', '-c', script, 'bash', 'conclave', ...line]
  return execFileSync('/usr/bin/env', words, {
    cwd: program.folder,
    env: environment(program),
    encoding: 'utf8',
  })
    .split('\n')
    .filter(Boolean)
}

test('bash completes commands, what follows them, flags, their values, files and chats', async () => {
  const program = new Program({ 'a file.yaml': '', 'sub/x': '' })
  expect(offered(program, 'se')).toEqual(['serve', 'sessions'])
  expect(offered(program, 'sessions', 'ex')).toEqual(['export'])
  expect(offered(program, '--quiet', 'config', '')).toEqual(['check', 'schema', 'import'])
  expect(offered(program, '--strat')).toEqual(['--strategy'])
  expect(offered(program, '-p', 'x', '--strategy', 'win')).toEqual(['winner_reuse', 'winner_present'])
  expect(offered(program, '--config', 'a')).toEqual(['a file.yaml'])
  expect(offered(program, '-C', '')).toEqual(['sub'])
  await program.run(['-p', 'hi', program.replies({ text: 'hello' })])
  expect(offered(program, '-r', 'chat')).toEqual([expect.stringMatching(/^chat_/)])
  expect(offered(program, 'sessions', 'rm', '')).toEqual([expect.stringMatching(/^chat_/)])
})

test('every command and flag of the help is completed', async () => {
  const { stdout } = await new Program().run(['--help'])
  const commands = stdout.matchAll(/^ {2}conclave ([a-z][\w-]*)/gmu)
  expect(new Set([...commands].map(([, name]) => name))).toEqual(new Set(Object.keys(commandWords)))
  const flags = stdout.matchAll(/^ {2}.{4}--([\w-]+)/gmu)
  expect([...flags].map(([, name]) => name)).toEqual(flagWords().map(({ name }) => name))
})

test('another shell is refused with the ones there are', async () => {
  const { code, stderr } = await new Program().run(['completion', 'csh'])
  expect(code).toBe(2)
  expect(stderr).toContain('conclave completion bash|zsh|fish')
})

testWith('zsh', 'zsh reads its completion and offers the same', async () => {
  const program = new Program()
  const { stdout } = await program.run(['completion', 'zsh'])
  const script = `
    autoload -U compinit && compinit -D
    ${stdout}
    compadd() { shift; print -l -- "$@" }
    _describe() { print -l -- \${(P)@[-1]} }
    words=(conclave "$@"); CURRENT=$#words
    _conclave`
  const offer = (...line: string[]): string =>
    execFileSync('zsh', ['-f', '-c', script, 'zsh', ...line], { encoding: 'utf8' })
  expect(offer('sessions', '')).toBe('list\nshow\nexport\nrm\nsearch\nundo\n')
  expect(offer('--strategy', '')).toBe('winner_reuse\nwinner_present\nsynthesize\n')
  expect(offer('')).toContain('doctor:what works on this machine')
  expect(offer('-')).toContain('--trust:')
})

testWith('fish', 'fish reads its completion and offers the same', async () => {
  const program = new Program()
  const { stdout } = await program.run(['completion', 'fish'])
  const offer = (line: string): string[] =>
    execFileSync('fish', ['--no-config', '-c', `${stdout}\ncomplete -C ${JSON.stringify(line)}`], {
      encoding: 'utf8',
      env: environment(program),
    })
      .split('\n')
      .map((entry) => entry.split('\t', 1)[0] ?? '')
      .filter(Boolean)
  expect(offer('conclave se')).toEqual(['serve', 'sessions'])
  expect(offer('conclave sessions ex')).toEqual(['export'])
  expect(offer('conclave --strategy win')).toEqual(['winner_present', 'winner_reuse'])
})
