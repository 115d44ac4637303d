import { SHELLS } from './shell-analysis-notes.ts'
import { type Argument, baseName } from './shell-analysis-words.ts'

export interface Wrapped {
  /** What it starts, with arguments. */
  programs: Argument[][]
  /** What it runs as shell code. */
  scripts: string[]
  /** It adds nothing of its own to what it runs. */
  harmless: boolean
  /** It runs something that shows only at run time; in words. */
  unknown?: string
}

/** What a program that runs other programs would run; nothing for all others. */
export function unwrap(line: readonly Argument[], stdin?: string): Wrapped | undefined {
  const [first, ...args] = line
  const name = baseName(first?.value ?? '')
  if (SHELLS.has(name)) return unwrapShell(name, args, stdin)
  if (name === 'eval') return code(args.map(({ value }) => value))
  if (name === 'trap') return args.length > 1 ? { ...code([args[0]?.value]), harmless: false } : undefined
  if (name === 'find') return unwrapFind(args)
  if (name === 'env') return unwrapEnv(args)
  if (name === 'xargs') return unwrapXargs(args)
  if (name === 'command' && args[0]?.value?.toLowerCase() === '-v') return undefined
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined
  if (!wrapper) return undefined
  const inner = skipOptions(args, wrapper.valued).slice(wrapper.operands ?? 0)
  return { programs: inner.length > 0 ? [inner] : [], scripts: [], harmless: wrapper.harmless === true }
}

interface Wrapper {
  /** Options that take the next argument as their value. */
  valued: string[]
  /** Arguments before the program. */
  operands?: number
  harmless?: boolean
}

const WRAPPERS: Record<string, Wrapper> = {
  sudo: { valued: ['-u', '-g', '-h', '-p', '-C', '-D', '-R', '-T', '-U', '-r', '-t', '--user', '--group'] },
  doas: { valued: ['-u', '-C', '-a'] },
  timeout: { valued: ['-k', '-s', '--kill-after', '--signal'], operands: 1, harmless: true },
  nice: { valued: ['-n', '--adjustment'], harmless: true },
  ionice: { valued: ['-c', '-n', '-p'] },
  nohup: { valued: [] },
  setsid: { valued: [] },
  stdbuf: { valued: ['-i', '-o', '-e'], harmless: true },
  time: { valued: ['-o', '-f', '--output', '--format'] },
  command: { valued: [], harmless: true },
  builtin: { valued: [] },
  exec: { valued: ['-a'] },
  chroot: { valued: ['--userspec', '--groups'], operands: 1 },
  unshare: { valued: ['-S', '-G', '-R', '-w'] },
  nsenter: { valued: ['-t', '-S', '-G'] },
  flock: { valued: ['-w', '-E', '--timeout'], operands: 1 },
  strace: { valued: ['-o', '-e', '-p', '-s', '-P'] },
  ltrace: { valued: ['-o', '-e', '-p', '-s'] },
  watch: { valued: ['-n', '--interval'] },
  parallel: { valued: ['-j', '-a', '-I'] },
  busybox: { valued: [] },
  taskset: { valued: [], operands: 1 },
  chrt: { valued: [], operands: 1 },
  runuser: { valued: ['-u', '-g', '-G'] },
  setpriv: { valued: [] },
  prlimit: { valued: [] },
}

function unwrapShell(name: string, args: readonly Argument[], stdin: string | undefined): Wrapped {
  const at = args.findIndex(({ value }) => value !== undefined && /^-\w*c\w*$/u.test(value))
  if (at >= 0) return { ...code([args[at + 1]?.value]), harmless: at === 0 && args[0]?.value === '-c' }
  if (stdin !== undefined && args.length === 0) return { ...code([stdin]), harmless: false }
  return { programs: [], scripts: [], harmless: false, unknown: `${name} runs what it reads` }
}

/** Shell code made of several words; only words known beforehand can be looked at. */
function code(values: readonly (string | undefined)[]): Wrapped {
  const known = values.filter((value) => value !== undefined)
  return known.length === values.length
    ? { programs: [], scripts: [known.join(' ')], harmless: true }
    : { programs: [], scripts: [], harmless: false, unknown: 'what code it runs shows only when it runs' }
}

/** Only `-exec` and its kin make it a wrapper; the rest is for the table of programs that only look. */
function unwrapFind(args: readonly Argument[]): Wrapped | undefined {
  const programs: Argument[][] = []
  let harmless = true
  for (let at = 0; at < args.length; at += 1) {
    const action = args[at]?.value ?? ''
    if (['-delete', '-fprint', '-fprint0', '-fprintf', '-fls'].includes(action)) harmless = false
    if (!['-exec', '-execdir', '-ok', '-okdir'].includes(action)) continue
    const end = args.findIndex(({ value }, index) => index > at && (value === ';' || value === '+'))
    const inner = args.slice(at + 1, end < 0 ? undefined : end)
    // What is found takes the place of {}, so its value is not known.
    programs.push(inner.map((arg) => (arg.value?.includes('{}') ? { text: arg.text } : arg)))
    at = end < 0 ? args.length : end
  }
  return programs.length > 0 ? { programs, scripts: [], harmless } : undefined
}

function unwrapEnv(args: readonly Argument[]): Wrapped | undefined {
  const split = args.findIndex(({ value }) => value !== undefined && /^(-\w*S|--split-string)/u.test(value))
  if (split >= 0) {
    const option = args[split]?.value ?? ''
    const joined = option.replace(/^(-\w*S|--split-string=?)/u, '')
    return { ...code([joined || args[split + 1]?.value]), harmless: false }
  }
  const rest = skipOptions(args, ['-u', '-C', '--unset', '--chdir'])
  const at = rest.findIndex(({ text, value }) => !(value ?? text).includes('='))
  const inner = at < 0 ? [] : rest.slice(at)
  if (inner.length === 0 && args.length === 0) return undefined
  return {
    programs: inner.length > 0 ? [inner] : [],
    scripts: [],
    harmless: at === 0 && rest.length === args.length,
  }
}

function unwrapXargs(args: readonly Argument[]): Wrapped {
  const valued = ['-I', '-n', '-P', '-d', '-L', '-s', '-a', '-E', '--max-args', '--max-procs', '--delimiter']
  const inner = skipOptions(args, valued)
  const program = inner.length > 0 ? inner : [{ text: 'echo', value: 'echo' }]
  // What it reads is appended to the arguments.
  return { programs: [[...program, { text: '…' }]], scripts: [], harmless: true }
}

function skipOptions(args: readonly Argument[], valued: readonly string[]): Argument[] {
  let at = 0
  for (; at < args.length; at += 1) {
    const value = args[at]?.value
    if (value === undefined || !value.startsWith('-') || value === '-') break
    if (value === '--') return args.slice(at + 1)
    if (valued.includes(value)) at += 1
  }
  return args.slice(at)
}
