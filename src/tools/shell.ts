import type { ShellResult } from '../ports/shell.ts'
import { defineTool } from './tool.ts'

const DEFAULT_TIMEOUT_MS = 120_000

export const shell = defineTool({
  name: 'shell',
  changes: 'anything',
  confinable: true,
  description:
    'Run a bash command in the working folder and wait for it. No input, no terminal; processes left in the background are ended with it.',
  input: {
    type: 'object',
    properties: {
      command: { type: 'string' },
      timeout_ms: {
        type: 'integer',
        minimum: 1,
        maximum: 3_600_000,
        description: `${DEFAULT_TIMEOUT_MS} if absent.`,
      },
    },
    required: ['command'],
    additionalProperties: false,
  },
  async run({ command, timeout_ms = DEFAULT_TIMEOUT_MS }, { shell, files, signal, confined, onOutput }) {
    const result = await shell.run({
      command,
      cwd: files.root,
      timeout_ms,
      access: confined ? 'read' : 'write',
      signal,
      onOutput,
    })
    const ending = describeEnd(result, timeout_ms)
    const output = result.output === '' && ending === '' ? '(no output)' : result.output
    const gap = output === '' || ending === '' || output.endsWith('\n') ? '' : '\n'
    return { success: result.exit_code === 0, output: output + gap + ending }
  },
})

function describeEnd(result: ShellResult, timeout_ms: number): string {
  switch (result.ended_by) {
    case 'timeout':
      return `ended by us after ${timeout_ms} ms; raise timeout_ms if it needs longer`
    case 'cancel':
      return 'cancelled'
    case 'signal':
      return 'ended by a signal'
    case 'start_failed':
      return ''
    case undefined:
      return result.exit_code === 0 ? '' : `exit code ${result.exit_code}`
  }
}
