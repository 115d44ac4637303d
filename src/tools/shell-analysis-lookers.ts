import { type Argument, baseName, optionName } from './shell-analysis-words.ts'

/** Whether a program with these arguments only looks. Only programs of this table do. */
export function onlyLooks(line: readonly Argument[]): boolean {
  const [first, ...rest] = line
  // A path may be that of something else with a known name.
  const name = first?.value ?? ''
  if (name.includes('/') && !/^\/(usr\/)?s?bin\/[^/]+$/u.test(name)) return false
  const program = baseName(name)
  if (HARMLESS.has(program)) return true
  const rule = Object.hasOwn(RULES, program) ? RULES[program] : undefined
  if (!rule) return false
  const values = rest.flatMap(({ value }) => (value === undefined ? [] : [value]))
  return values.length === rest.length && rule(values)
}

type Rule = (args: string[]) => boolean

/** No argument makes them do more than read and print. */
const HARMLESS = new Set(
  (
    'cat head tail ls dir pwd wc stat du df cut tr rev nl tac fold fmt expand unexpand paste comm join cmp diff ' +
    'grep egrep fgrep basename dirname realpath readlink seq md5sum sha1sum sha224sum sha256sum sha384sum ' +
    'sha512sum b2sum cksum sum od hexdump strings base64 base32 id whoami groups uname arch nproc uptime free ' +
    'lscpu locale printenv true false : test [ echo sleep cd type which exit return tsort numfmt factor'
  ).split(' '),
)

const RULES: Record<string, Rule> = {
  // `-v` assigns to a variable, and an array's index is evaluated.
  printf: (args) => args[0] !== '-v',
  env: (args) => args.length === 0,
  hostname: (args) => args.length === 0,
  date: (args) => args.every((arg) => arg.startsWith('+') || ['-u', '-I', '-R', '--utc'].includes(arg)),
  sort: without('oT', ['--output', '--compress-program', '--temporary-directory']),
  uniq: (args) => args.filter((arg) => !arg.startsWith('-')).length <= 1,
  file: without('C', ['--compile']),
  tree: without('oR', ['--output']),
  rg: without('z', ['--pre', '--pre-glob', '--hostname-bin', '--search-zip']),
  jq: without('', ['--run-tests']),
  ps: (args) => args.every((arg) => /^-?[\w,=]*$/u.test(arg)),
  find: (args) => !args.some((arg) => FIND_ACTIONS.some((action) => arg.startsWith(action))),
  sed: readsOnlyWithSed,
  awk: (args) => {
    const [script = '', ...rest] = args[0]?.startsWith('-F') && args[0].length > 2 ? args.slice(1) : args
    return /^\{ ?print( \$\d+(, ?\$\d+)*)? ?\}$/u.test(script) && !rest.some((arg) => arg.startsWith('-'))
  },
  tar: (args) => args.length === 2 && /^-?t[vzjJ]*f$/u.test(args[0] ?? ''),
  git: readsOnlyWithGit,
  command: (args) => args[0] === '-v' || args[0] === '-V',
  ...Object.fromEntries(
    ['node', 'npm', 'python3', 'python', 'cargo', 'rustc', 'gcc', 'java', 'ruby', 'perl', 'php', 'make'].map(
      (name) => [name, (args: string[]) => args.length === 1 && args[0] === '--version'],
    ),
  ),
  go: (args) => args.length === 1 && args[0] === 'version',
}

/** Of `find`: it starts, deletes or writes something. */
const FIND_ACTIONS = ['-exec', '-ok', '-delete', '-fprint', '-fls']

/** No short option of these letters, also not in a group, and none of these long ones, also not shortened. */
function without(letters: string, long: string[]): Rule {
  return (args) =>
    !args.some((arg) => {
      if (!arg.startsWith('-') || arg === '-') return false
      if (!arg.startsWith('--')) return [...letters].some((letter) => arg.includes(letter))
      const name = optionName(arg)
      return name !== '--' && long.some((option) => option.startsWith(name))
    })
}

/** Prints lines, or replaces within them, with nothing that writes or runs. */
function readsOnlyWithSed(args: string[]): boolean {
  const scripts = args.filter((arg) => !/^-[nEr]+$/u.test(arg))
  const [script = '', ...files] = scripts
  const prints = /^(\d+|\$)?(,(\d+|\$))?p$/u.test(script)
  const replaces = /^s\/[^/\n\\]*\/[^/\n\\]*\/[gpi]*$/u.test(script)
  return (prints || replaces) && !files.some((arg) => arg.startsWith('-'))
}

const GIT_LOOKS = new Set(
  (
    'status log diff show blame annotate rev-parse rev-list ls-files ls-tree cat-file describe shortlog ' +
    'name-rev merge-base diff-tree diff-index diff-files for-each-ref show-ref count-objects whatchanged ' +
    'check-ignore check-attr version'
  ).split(' '),
)
/** They write a file, or have a program of the repository's choice run. */
const GIT_ACTS = ['--output', '--ext-diff', '--textconv', '--open-files-in-pager', '--paginate', '--filters']

function readsOnlyWithGit(args: string[]): boolean {
  const [sub = '', ...rest] = args[0] === '--no-pager' ? args.slice(1) : args
  if (
    rest.some(
      (arg) =>
        arg.startsWith('--') && arg !== '--' && GIT_ACTS.some((acts) => acts.startsWith(optionName(arg))),
    )
  )
    return false
  if (GIT_LOOKS.has(sub)) return true
  if (sub === 'grep') return !rest.some((arg) => arg.startsWith('-O'))
  if (sub === 'branch' || sub === 'tag')
    return rest.every((arg) => ['-a', '-r', '-v', '-vv', '-l', '--list', '--all'].includes(arg))
  if (sub === 'remote') return rest.every((arg) => arg === '-v')
  if (sub === 'stash') return rest[0] === 'list' || rest[0] === 'show'
  return sub === 'config' && ['--get', '--list', '-l', '--get-all'].includes(rest[0] ?? '')
}
