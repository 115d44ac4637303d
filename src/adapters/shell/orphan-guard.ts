import type { Writable } from 'node:stream'
import { COMMAND_MARK } from './command-mark.ts'

/**
 * Reads which process groups live and which have ended. When the pipe closes, this process is gone, however it went:
 * what still lives is killed, and so is what carries the mark of one of our commands in its environment.
 */
const GUARD = `
live=' '
while read -r sign group; do
  case $sign in
    +) live="$live$group " ;;
    -) live="\${live%%" $group "*} \${live#*" $group "}" ;;
  esac
done
for group in $live; do kill -s KILL -- "-$group" 2>/dev/null; done
[ "$live" = "\${live#* [0-9]}" ] && exit
for round in 1 2; do
  for file in $(grep -lzs "^$1-" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -s KILL "\${pid%/environ}" 2>/dev/null
  done
done
`

let guard: Writable | undefined

/**
 * Has a process group killed when we are killed ourselves. One small process guards all of them. It cannot see a process
 * that left its group and cleared its environment; a sandbox has no such way out.
 */
export function guardOrphans(group: number): () => void {
  if (process.platform === 'win32') return () => {}
  const pipe = (guard ??= startGuard())
  const tell = (line: string): void => {
    if (pipe.writable) pipe.write(line)
  }
  tell(`+ ${group}\n`)
  return () => tell(`- ${group}\n`)
}

function startGuard(): Writable {
  const { spawn } = process.getBuiltinModule('node:child_process')
  const child = spawn('sh', ['-c', GUARD, 'conclave-guard', `${COMMAND_MARK}=${process.pid}`], {
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    // Its own session, so that whatever ends ours does not end it too.
    detached: true,
  })
  const forget = (): void => {
    if (guard === child.stdin) guard = undefined
  }
  child.once('error', forget).once('exit', forget)
  child.stdin.on('error', forget)
  child.unref()
  const pipe: Writable & { unref?(): void } = child.stdin
  pipe.unref?.()
  return child.stdin
}
