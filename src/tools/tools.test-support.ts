import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openFiles } from '../adapters/files/gateway.ts'
import { localShell } from '../adapters/shell/local-shell.ts'
import { checkInput } from './input-schema.ts'
import { builtinTools } from './registry.ts'
import type { ToolResult } from './tool.ts'

/** A folder to let the tools loose in, with a canary beside it. */
export interface Playground {
  root: string
  put(name: string, content: string | Buffer): void
  get(name: string): string
  run(tool: string, input: Record<string, unknown>, signal?: AbortSignal): Promise<ToolResult>
  remove(): void
}

export function makePlayground(): Playground {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'conclave-tools-')))
  const root = path.join(base, 'root')
  fs.mkdirSync(root)
  fs.mkdirSync(`${root}-sibling`)
  fs.writeFileSync(`${root}-sibling/canary.txt`, 'canary')
  const files = openFiles(root)
  const shell = localShell()
  const seen = new Map<string, string>()
  return {
    root,
    put(name, content) {
      fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
      fs.writeFileSync(path.join(root, name), content)
    },
    get: (name) => fs.readFileSync(path.join(root, name), 'utf8'),
    run(name, input, signal = new AbortController().signal) {
      const tool = builtinTools().find((tool) => tool.name === name)
      if (!tool) throw new Error(`no tool ${name}`)
      const problems = checkInput(tool.input, input)
      if (problems.length > 0) throw new Error(problems.join('; '))
      const explore = (): Promise<ToolResult> => Promise.reject(new Error('not here'))
      return tool.run(input, {
        files,
        shell,
        signal,
        confined: false,
        call_id: 'call_1',
        seen,
        onOutput: () => {},
        explore,
      })
    },
    remove: () => fs.rmSync(base, { recursive: true, force: true }),
  }
}
