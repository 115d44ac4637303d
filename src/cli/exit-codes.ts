import type { Failure } from '../schema/failure.ts'

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  credentials: 41,
  input: 42,
  sandbox: 44,
  config: 52,
  limit: 53,
  pending: 54,
  untrusted: 55,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Ends the program with a message for a person. Thrown by commands, caught once in `main`. */
export class Exit extends Error {
  readonly code: ExitCode

  constructor(code: ExitCode, message: string) {
    super(message)
    this.name = 'Exit'
    this.code = code
  }
}

export function codeOf(failure: Failure): ExitCode {
  switch (failure.kind) {
    case 'credentials':
      return exitCodes.credentials
    case 'input':
      return exitCodes.input
    case 'sandbox':
      return exitCodes.sandbox
    case 'limit':
      return exitCodes.limit
    case 'model':
    case 'context':
    case 'network':
    case 'tool':
    case 'storage':
    case 'bug':
      return exitCodes.failed
  }
}
