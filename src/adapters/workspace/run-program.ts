import { delimiter, isAbsolute } from 'node:path'

const MAX_TEXT = 100_000

/** A program of the system for work on many files: faster than from here, and out of everybody's way. Never throws. */
export async function runProgram(
  program: string,
  args: string[],
  options: { cwd: string; input?: Buffer },
): Promise<{ ok: boolean; output: string; errors: string }> {
  const { spawn } = await import('node:child_process')
  const PATH = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute).join(delimiter)
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { PATH, LC_ALL: 'C' },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let output = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(0, MAX_TEXT)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-MAX_TEXT)
    })
    child.once('error', (error) => resolve({ ok: false, output: '', errors: error.message }))
    child.once('close', (code) => resolve({ ok: code === 0, output, errors }))
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
  })
}
