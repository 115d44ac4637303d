import { type Flag, flags } from '../flags.ts'

export function help(version: string): string {
  const rows = Object.entries(flags as Record<string, Flag>).map(
    ([name, { short, value, optional, help, choices }]) => {
      const shown = value && (optional ? ` [${value}]` : ` <${choices ? choices.join('|') : value}>`)
      return `  ${(short ? `-${short}, ` : '    ') + `--${name}${shown ?? ''}`}`.padEnd(44) + `  ${help}`
    },
  )
  return `conclave ${version}: a coding agent on your task, under your control

  conclave -p <prompt>                    one turn, answer on stdout; piped stdin is appended to the prompt
  conclave plan <prompt>                  look and propose: a plan, kept in .conclave/plans; -c or -r to refine it
  conclave execute-plan <id|dir|latest>   approve the newest revision of a plan and carry it out
  conclave answer <choice>                answer what the latest chat here (or -r <chat>) waits for
  conclave demo                           a rename on a sample project, by the built-in planner
  conclave serve                          web page and HTTP API, for this machine only
  conclave attach <address>               the terminal UI on a server that runs
  conclave mcp                            launch_run for other agents, over MCP (stdin and stdout)
  conclave sessions list                  chats, newest first
  conclave sessions show|export|rm <chat>
  conclave sessions search <words>        what was said
  conclave sessions undo <chat>           take back what its last turn changed
  conclave project init|show              notes, runs and deliverables of this folder, kept in .conclave
  conclave trust [folder]                 let the folder's own config, instructions and skills apply
  conclave config check [file]            is the config right?
  conclave config schema                  what a config can say, as JSON Schema for editors
  conclave config import <massgen.yaml>   a config from one of MassGen's; -o <file> to write it there
  conclave init                           find models and write a config
  conclave replay <chat or file>          a recorded run again, without a model, in a copy of its folder
  conclave doctor                         what works on this machine
  conclave docker build                   the image for --docker and execution.mode: docker
  conclave completion bash|zsh|fish       completion for the shell: source <(conclave completion bash)

${rows.join('\n')}

Exit codes: 0 done, 1 failed, 2 usage, 41 no credentials, 42 bad input, 44 no sandbox or Docker, 52 config error,
53 a limit ended the run, 54 a pending could not be answered, 55 folder not trusted, 130 interrupted.
`
}
