import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseArgs } from './args.ts'
import { Exit } from './exit-codes.ts'
import { type Flag, flags } from './flags.ts'

function refusal(...argv: string[]): string {
  try {
    parseArgs(argv)
  } catch (error) {
    if (error instanceof Exit && error.code === 2) return error.message.split('\n')[0] ?? ''
    throw error
  }
  throw new Error('nothing was refused')
}

test('reads flags, values and words in any order', () => {
  const args = parseArgs(['fix', '-p', 'the bug', '--max-tokens=5', '-q', 'now', '--context-path', 'a'])
  expect(args.words).toEqual(['fix', 'now'])
  expect(args.value('print')).toBe('the bug')
  expect(args.number('max-tokens')).toBe(5)
  expect(args.has('quiet')).toBe(true)
  expect(args.has('verbose')).toBe(false)
  expect(args.number('timeout')).toBeUndefined()
  expect(args.values('context-path')).toEqual(['a'])
})

test('repeats only what may be repeated', () => {
  expect(parseArgs(['--context-path', 'a', '--context-path=b']).values('context-path')).toEqual(['a', 'b'])
  expect(refusal('-m', 'a/b', '--model', 'c/d')).toBe('--model is given twice')
  expect(parseArgs(['--verbose', '--verbose']).has('verbose')).toBe(true)
})

test('takes everything after -- as words', () => {
  expect(parseArgs(['-p', '--', '--help', '-x']).words).toEqual(['--help', '-x'])
})

test('takes a prompt that begins with a dash for a prompt', () => {
  expect(parseArgs(['-p', '- one\n- two']).value('print')).toBe('- one\n- two')
  expect(parseArgs(['--print=--help']).value('print')).toBe('--help')
  expect(parseArgs(['-p', '-5 degrees']).value('print')).toBe('-5 degrees')
  expect(parseArgs(['--config=my file.yaml']).value('config')).toBe('my file.yaml')
})

test('leaves out a value that may be left out', () => {
  const args = parseArgs(['-p', '--single', '-q'])
  expect([args.has('print'), args.value('print'), args.has('single')]).toEqual([true, undefined, true])
})

test('says what is wrong with a flag', () => {
  expect(refusal('--modle', 'x')).toBe('unknown flag --modle; did you mean --model?')
  expect(refusal('--nothing-like-it')).toBe('unknown flag --nothing-like-it')
  expect(refusal('-x')).toBe('unknown flag -x')
  expect(refusal('---')).toBe('unknown flag ---')
  expect(refusal('--constructor')).toBe('unknown flag --constructor')
  expect(refusal('--config')).toBe('--config needs a value: --config <file>')
  expect(refusal('--config', '-q')).toBe('--config needs a value: --config <file>')
  expect(refusal('--config=')).toBe('--config needs a value: --config <file>')
  expect(refusal('-C', '')).toBe('-C needs a value: -C <dir>')
  expect(refusal('--verbose=yes')).toBe('--verbose takes no value')
})

test('says what is wrong with a value', () => {
  expect(refusal('--output-format', 'jsn')).toBe(
    '--output-format must be one of text, json, stream-json, not "jsn"; did you mean json?',
  )
  for (const value of ['0', '-1', 'two', '1.5', '', ' ', 'Infinity', 'NaN', '1e400']) {
    expect(refusal(`--max-iterations=${value}`), value).toMatch(/^--max-iterations (must be a|needs a value)/)
  }
  expect(refusal('--timeout', '-0.5')).toBe('--timeout must be a number above 0, not "-0.5"')
  expect(parseArgs(['--timeout', '0.5']).number('timeout')).toBe(0.5)
})

test('never throws anything but a refusal, and keeps what it accepts', () => {
  const names = Object.entries(flags as Record<string, Flag>).flatMap(([name, { short }]) => [
    `--${name}`,
    ...(short ? [`-${short}`] : []),
  ])
  const noise = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('-', '--', '---', '--=', '-=', '--p', '=', '', '-1', '--__proto__', 'text', '5'),
  )
  const arg = fc.oneof(
    noise,
    fc.constantFrom(...names),
    fc.tuple(fc.constantFrom(...names), noise).map(([name, value]) => `${name}=${value}`),
  )
  let accepted = 0
  fc.assert(
    fc.property(fc.array(arg, { maxLength: 8 }), (argv) => {
      try {
        const args = parseArgs(argv)
        accepted++
        return args.words.every((word) => argv.includes(word))
      } catch (error) {
        return error instanceof Exit && error.code === 2
      }
    }),
    { numRuns: 2000 },
  )
  expect(accepted).toBeGreaterThan(100)
})
