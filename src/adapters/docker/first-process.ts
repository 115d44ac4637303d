import { COMMAND_MARK } from '../shell/command-mark.ts'

/**
 * The first process of every container, in any POSIX shell. It collects what ends, and does what we write to its stdin,
 * a line that wakes it and one that says what:
 *   `<id> term <mark>`    asks the processes of a command to end
 *   `<id> kill <mark>…`   kills every process but those of these commands; with no marks really every one, at once
 * and answers with the id. When its stdin closes, which it does however we end, it ends itself and with it the container.
 * The one waiting for the line is a child, because only a shell that waits for a child collects the others; and a shell
 * that reads the second line itself needs no new process when a command has used them all up.
 */
export const FIRST_PROCESS = `
exec 3<&0 </dev/null
nl='
'
marks_of() { marks=$nl$(tr '\\0' '\\n' <"$1/environ")$nl; } 2>/dev/null
each() {
  found=
  for process in /proc/[0-9]*; do
    pid=\${process#/proc/}
    [ "$pid" = 1 ] && continue
    marks_of "$process" || continue
    hit=
    for mark in $2; do
      case $marks in *"\${nl}${COMMAND_MARK}=$mark\${nl}"*) hit=1 ;; esac
    done
    [ "$hit" = "$3" ] && kill -s "$1" "$pid" 2>/dev/null && found=1
  done
  [ -n "$found" ]
}
echo ready
while :; do
  (read -r line <&3 && exit 7; exit 0) &
  wait $!
  case $? in
    0) exit 0 ;;
    7) ;;
    *) continue ;;
  esac
  read -r id verb marked <&3 || exit 0
  case $verb$marked in
    kill) kill -s KILL -- -1 2>/dev/null || kill -KILL -1 2>/dev/null ;;
    kill*)
      rounds=0
      while each KILL "$marked" '' && [ $rounds -lt 10 ]; do rounds=$((rounds + 1)); done
      ;;
    term*) each TERM "$marked" 1 ;;
  esac
  echo "$id"
done
`

/**
 * Runs a command and tells on stderr, which the command does not have, how it ended. The command itself is an argument:
 * what was approved is byte for byte what runs.
 */
export const RUN_COMMAND = `
trap : TERM
(
  exec 2>&1 </dev/null
  if command -v bash >/dev/null; then exec bash -c "$1"; fi
  exec sh -c "$1"
)
echo "ended $?" >&2
`

/** The same for a command that comes later, on stdin. Says when it has it: before that, nothing has happened. */
export const AWAIT_COMMAND = `
command=$(cat; printf x)
echo begun >&2
set -- "\${command%x}"
${RUN_COMMAND}`

/** A shell may complain of something else before. */
export const hasBegun = (said: string): boolean => /^begun$/mu.test(said)

/** What the command ended with, from what the script above said. */
export function readEnd(said: string): number | undefined {
  const [, code] = /^ended (\d+)$/mu.exec(said) ?? []
  return code === undefined ? undefined : Number(code)
}
