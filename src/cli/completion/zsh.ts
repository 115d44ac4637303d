import { type Takes, commandWords, flagWords } from './words.ts'

const finders: Record<Takes, string> = {
  files: '_files',
  folders: '_files -/',
  chats: 'compadd -- $(_conclave_chats)',
}

export function zshCompletion(): string {
  const flags = flagWords()
  const names = flags.flatMap(({ name, short, about }) => [
    item(`--${name}`, about),
    ...(short ? [item(`-${short}`, about)] : []),
  ])
  const valued = flags
    .filter(({ choices, takes, value }) => value && (choices.length > 0 || takes))
    .map(({ name, short, choices, takes }) => {
      const find = takes ? finders[takes] : `compadd -- ${choices.join(' ')}`
      return `    --${name}${short ? `|-${short}` : ''}) ${find}; return ;;`
    })
  const after = Object.entries(commandWords).map(([name, { words = [], takes }]) => {
    const first = words.length > 0 ? `(( depth == 1 )) && { compadd -- ${words.join(' ')}; return }; ` : ''
    return `    ${name}) ${first}${takes ? finders[takes] : ':'} ;;`
  })
  return `#compdef conclave
# Completion of conclave for zsh: source <(conclave completion zsh), after compinit
_conclave_chats() { conclave sessions list 2>/dev/null | grep -o 'chat_[^ ]*' }
_conclave() {
  local command='' word; local -i depth=0
  local -a commands=(${Object.entries(commandWords)
    .map(([name, { about }]) => item(name, about))
    .join(' ')})
  local -a flags=(${names.join(' ')})
  case $words[CURRENT-1] in
${valued.join('\n')}
  esac
  if [[ $words[CURRENT] == -* ]]; then _describe -o flag flags; return; fi
  for word in \${words[2,CURRENT-1]}; do
    [[ $word == -* ]] && continue
    depth=$(( depth + 1 )); command=\${command:-$word}
  done
  case $command in
    '') _describe command commands ;;
${after.join('\n')}
  esac
}
compdef _conclave conclave
`
}

/** A name and what it is for, as \`_describe\` takes them. */
const item = (name: string, about: string): string =>
  `'${name.replaceAll(':', '\\:')}:${about.replaceAll("'", "'\\''")}'`
