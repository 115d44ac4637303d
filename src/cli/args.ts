import { suggest } from '../config/suggest.ts'
import { Exit, exitCodes } from './exit-codes.ts'
import { type Flag, type FlagName, flags } from './flags.ts'

export interface Args {
  /** What is not a flag, in order. */
  words: string[]
  has(flag: FlagName): boolean
  /** The flag's value; undefined when the flag or its value is absent. */
  value(flag: FlagName): string | undefined
  values(flag: FlagName): string[]
  number(flag: FlagName): number | undefined
  /** Of the running program. */
  version: string
}

/** Reads the command line. Everything after `--` is words. */
export function parseArgs(argv: readonly string[], version = ''): Args {
  const given = new Map<FlagName, string[]>()
  const words: string[] = []
  for (let index = 0; index < argv.length; index++) {
    const arg = argv[index] ?? ''
    if (arg === '--') {
      words.push(...argv.slice(index + 1))
      break
    }
    if (!isFlag(arg)) {
      words.push(arg)
      continue
    }
    const equals = arg.startsWith('--') ? arg.indexOf('=') : -1
    const written = equals < 0 ? arg : arg.slice(0, equals)
    const name = findFlag(written)
    const flag: Flag = flags[name]
    let value = equals < 0 ? undefined : arg.slice(equals + 1)
    if (flag.value === undefined && value !== undefined) throw usage(`${written} takes no value`)
    if (flag.value !== undefined && value === undefined) {
      const next = argv[index + 1]
      if (next !== undefined && (!isFlag(next) || isNegativeNumber(next))) value = argv[++index]
    }
    if (flag.value !== undefined && !flag.optional && !value)
      throw usage(`${written} needs a value: ${written} <${flag.value}>`)
    if (given.has(name) && !flag.many && flag.value !== undefined) throw usage(`${written} is given twice`)
    if (value !== undefined) check(written, flag, value)
    given.set(name, [...(given.get(name) ?? []), ...(value === undefined ? [] : [value])])
  }
  return {
    words,
    version,
    has: (flag) => given.has(flag),
    value: (flag) => given.get(flag)?.[0],
    values: (flag) => given.get(flag) ?? [],
    number: (flag) => (given.get(flag)?.[0] === undefined ? undefined : Number(given.get(flag)?.[0])),
  }
}

export const usage = (message: string): Exit =>
  new Exit(exitCodes.usage, `${message}\nRun conclave --help for all commands and flags.`)

/** A prompt may well begin with a dash; a flag's name holds no blanks. */
const isFlag = (arg: string): boolean => arg.startsWith('-') && arg !== '-' && !/^[^=]*\s/.test(arg)

const isNegativeNumber = (text: string): boolean => /^-\d/.test(text)

function findFlag(written: string): FlagName {
  const names = Object.keys(flags) as FlagName[]
  const found = written.startsWith('--')
    ? names.find((name) => name === written.slice(2))
    : names.find((name) => (flags[name] as Flag).short === written.slice(1))
  if (found) return found
  const meant = written.startsWith('--') ? suggest(written.slice(2), names) : undefined
  throw usage(`unknown flag ${written}${meant ? `; did you mean --${meant}?` : ''}`)
}

function check(written: string, flag: Flag, value: string): void {
  if (flag.choices && !flag.choices.includes(value)) {
    const meant = suggest(value, flag.choices)
    throw usage(
      `${written} must be one of ${flag.choices.join(', ')}, not "${value}"${meant ? `; did you mean ${meant}?` : ''}`,
    )
  }
  if (!flag.number) return
  const number = Number(value)
  const good =
    value.trim() !== '' &&
    number > 0 &&
    Number.isFinite(number) &&
    (flag.number === 'any' || Number.isInteger(number))
  if (!good)
    throw usage(
      `${written} must be a ${flag.number === 'whole' ? 'whole ' : ''}number above 0, not "${value}"`,
    )
}
