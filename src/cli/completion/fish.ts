import { type Takes, commandWords, flagWords } from './words.ts'

const finders: Record<Takes, string> = {
  files: '-F',
  folders: `-xa '(__fish_complete_directories)'`,
  chats: `-xa '(__conclave_chats)'`,
}

export function fishCompletion(): string {
  const commands = Object.entries(commandWords).flatMap(([name, { about, words = [], takes }]) => [
    `complete -c conclave -n __fish_use_subcommand -a ${name} -d ${quote(about)}`,
    ...(words.length > 0
      ? [`complete -c conclave -n '__fish_seen_subcommand_from ${name}' -a '${words.join(' ')}'`]
      : []),
    ...(takes ? [`complete -c conclave -n '__fish_seen_subcommand_from ${name}' ${finders[takes]}`] : []),
  ])
  const flags = flagWords().map(({ name, short, about, value, choices, takes }) => {
    const find =
      choices.length > 0
        ? ` -xa '${choices.join(' ')}'`
        : takes
          ? ` -r ${finders[takes]}`
          : value
            ? ' -x'
            : ''
    return `complete -c conclave -l ${name}${short ? ` -s ${short}` : ''}${find} -d ${quote(about)}`
  })
  return `# Completion of conclave for fish: conclave completion fish | source
function __conclave_chats; conclave sessions list 2>/dev/null | string match -ar 'chat_\\S+'; end
complete -c conclave -f
${[...commands, ...flags].join('\n')}
`
}

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
