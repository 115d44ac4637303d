/** What a call would touch, measured by the tool layer from the call itself: the model's own opinion does not count. */
export type Access =
  | { kind: 'read' | 'write' | 'delete'; path: string }
  | CommandAccess
  | { kind: 'network'; host: string }
  | { kind: 'mcp'; server: string; tool: string }

export interface CommandAccess {
  kind: 'command'
  /** The whole command line, byte for byte. */
  command: string
  /** Every simple command in it, also those in sub-shells and substitutions; empty when it could not be parsed. */
  parts: string[]
  /** It parsed, and every part is a program that only looks. Such a command may run confined without asking. */
  looks_read_only: boolean
  /** What a person should see before approving: deletions, redirections, network programs, hidden characters. */
  notes: string[]
}
