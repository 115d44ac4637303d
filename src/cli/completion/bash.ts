import { type Takes, commandWords, flagWords } from './words.ts'

const finders: Record<Takes, string> = {
  files: 'compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur")',
  folders: 'compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$cur")',
  chats: '_conclave_words "$(_conclave_chats)"',
}

export function bashCompletion(): string {
  const flags = flagWords()
  const names = flags.flatMap(({ name, short }) => [`--${name}`, ...(short ? [`-${short}`] : [])])
  const valued = flags
    .filter(({ choices, takes, value }) => value && (choices.length > 0 || takes))
    .map(({ name, short, choices, takes }) => {
      const find = takes ? finders[takes] : `_conclave_words '${choices.join(' ')}'`
      return `    --${name}${short ? ` | -${short}` : ''}) ${find}; return ;;`
    })
  const after = Object.entries(commandWords).map(([name, { words = [], takes }]) => {
    const first =
      words.length > 0 ? `[ "$depth" = 1 ] && { _conclave_words '${words.join(' ')}'; return; }; ` : ''
    return `    ${name}) ${first}${takes ? finders[takes] : ':'} ;;`
  })
  return `# Completion of conclave for bash: source <(conclave completion bash)
_conclave_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
_conclave_chats() { conclave sessions list 2>/dev/null | grep -o 'chat_[^ ]*'; }
_conclave() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command='' depth=0 word
  COMPREPLY=()
  case $prev in
${valued.join('\n')}
  esac
  case $cur in
    -*) _conclave_words '${names.join(' ')}'; return ;;
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      -*) ;;
      *) depth=$((depth + 1)); command=\${command:-$word} ;;
    esac
  done
  case $command in
    '') _conclave_words '${Object.keys(commandWords).join(' ')}' ;;
${after.join('\n')}
  esac
}
complete -F _conclave conclave
`
}
