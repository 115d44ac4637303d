import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFiles } from '../../../src/adapters/files/gateway.ts'
import type { FileGrants } from '../../../src/adapters/files/grants.ts'
import { localShell } from '../../../src/adapters/shell/local-shell.ts'
import { builtinTools } from '../../../src/tools/registry.ts'
import type { ToolContext, ToolResult } from '../../../src/tools/tool.ts'
import { temporaryFolder } from '../../support/workbench.ts'

export const CANARY = 'canary outside the root\n'

/** Every tool that takes a path, with the rest of what it needs. */
export const fileTools: Record<string, (path: string) => Record<string, unknown>> = {
  read_file: (path) => ({ path }),
  list_directory: (path) => ({ path }),
  search_code: (path) => ({ path, pattern: 'canary' }),
  create_file: (path) => ({ path, content: 'hacked' }),
  update_file: (path) => ({ path, edits: [{ old_text: 'canary', new_text: 'hacked' }] }),
  update_file_by_patch: (path) => ({ path, patch: '@@ -1 +1 @@\n-canary outside the root\n+hacked\n' }),
  delete_file: (path) => ({ path }),
}

export const writingTools = ['create_file', 'update_file', 'update_file_by_patch', 'delete_file']

export interface Scene {
  base: string
  root: string
  /** Beside the root, with a canary in it. */
  outside: string
  run(tool: string, path: string): Promise<ToolResult>
  /** What is outside now: it must stay like this. */
  outsideState(): Record<string, string>
}

export const untouched = { 'canary.txt': CANARY }

/** A root to break out of. */
export function makeScene(grants: Omit<FileGrants, 'root'> = {}): Scene {
  const base = temporaryFolder()
  const root = join(base, 'root')
  const outside = join(base, 'root-sibling')
  mkdirSync(root)
  mkdirSync(outside)
  writeFileSync(join(outside, 'canary.txt'), CANARY)
  const files = openFiles({ root, ...grants })
  const context: ToolContext = {
    files,
    shell: localShell(),
    signal: new AbortController().signal,
    confined: false,
    call_id: 'call_1',
    onOutput: () => {},
    explore: () => Promise.reject(new Error('not here')),
  }
  return {
    base,
    root,
    outside,
    run(name, path) {
      const tool = builtinTools().find((known) => known.name === name.replace('_by_patch', ''))
      const input = fileTools[name]?.(path)
      if (!tool || !input) throw new Error(`no tool ${name}`)
      return tool.run(input, context)
    },
    outsideState: () =>
      Object.fromEntries(
        readdirSync(outside).map((name) => [name, readFileSync(join(outside, name), 'utf8')]),
      ),
  }
}
