/** The variable by which the processes of a command are known again when they have left its process group. */
export const COMMAND_MARK = 'CONCLAVE_COMMAND'

let commands = 0

export function newMark(): string {
  commands += 1
  return `${process.pid}-${commands}`
}
