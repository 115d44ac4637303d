import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type AcpAgent, acpAgent } from '../../src/adapters/acp/acp-agent.ts'
import type { AcpOptions } from '../../src/adapters/acp/options.ts'
import { fixture } from './fixture-path.ts'
import { temporaryFolder } from '../support/workbench.ts'

export interface FixtureAgent {
  model: AcpAgent
  /** Where the agent keeps its log. */
  home: string
  prompts(): string[][]
  log(): Record<string, unknown>[]
}

/** The agent of `fixture-agent.ts`, as a real process. */
export function fixtureAgent(
  habits: string[] = [],
  options: Partial<AcpOptions> = {},
  home: string = temporaryFolder(),
): FixtureAgent {
  const command = [process.execPath, fixture, home, ...habits]
  const model = acpAgent({ command, label: 'fixture', state_paths: [home], ...options })
  onTestFinished(() => model.close())
  const log = () => readLog(home)
  return {
    model,
    home,
    log,
    prompts: () => log().flatMap(({ prompt }) => (prompt ? [prompt as string[]] : [])),
  }
}

export function readLog(home: string): Record<string, unknown>[] {
  try {
    const lines = readFileSync(join(home, 'log.jsonl'), 'utf8').trim().split('\n')
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  } catch {
    return []
  }
}

/** Processes whose command line holds these words, found from outside of their namespace. */
export function processesWith(words: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(
      (pid) => Number.isInteger(pid) && pid !== process.pid && lives(pid) && commandLine(pid).includes(words),
    )
}

const commandLine = (pid: number): string => read(pid, 'cmdline').replaceAll('\0', ' ')

const lives = (pid: number): boolean => !/^State:\s+[ZX]/m.test(read(pid, 'status') || 'State: X')

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}

/** Resolves once this holds; the test's own time limit ends a wait for ever. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}
