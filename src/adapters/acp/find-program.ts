import { accessSync, constants, statSync } from 'node:fs'
import { basename, delimiter, join, resolve } from 'node:path'
import type { Failure } from '../../schema/failure.ts'

const packages: Record<string, string> = {
  'codex-acp': '@zed-industries/codex-acp',
  'claude-code-acp': '@zed-industries/claude-code-acp',
  'claude-agent-acp': '@agentclientprotocol/claude-agent-acp',
  gemini: '@google/gemini-cli',
  qwen: '@qwen-code/qwen-code',
  opencode: 'opencode-ai',
  'pi-acp': 'pi-acp',
}

/** The whole path of a program, looked up before it is started: what wraps it would report its absence in other words. */
export function findProgram(name: string, base: string): { path: string } | { failure: Failure } {
  const hasPath = name.includes('/') || name.includes('\\')
  const candidates = hasPath
    ? [resolve(base, name)]
    : (process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => (folder ? namesIn(folder, name) : []))
  const path = candidates.find(isExecutable)
  if (path !== undefined) return { path }
  const from = packages[basename(name)]
  return {
    failure: {
      kind: 'input',
      message: `the agent ${name} is not installed${hasPath ? '' : ', or not on the PATH'}`,
      hint: from
        ? `install it with: npm install --global ${from}`
        : 'install it, or correct the command of this backend',
    },
  }
}

const namesIn = (folder: string, name: string): string[] =>
  process.platform === 'win32'
    ? ['.exe', '.cmd', '.bat', ''].map((end) => join(folder, `${name}${end}`))
    : [join(folder, name)]

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
