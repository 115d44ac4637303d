import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runHeadless } from '../../headless/headless.ts'
import type { Args } from '../args.ts'
import { composeEngine } from '../compose.ts'
import { exitCodes } from '../exit-codes.ts'
import { writeOut } from '../output.ts'
import { packageRoot } from '../package-root.ts'

const TASK = 'Find all usages of function calcTotal and rename to orderTotal'

/** `conclave demo`: the built-in planner renames a function in a copy of the sample project, tests before and after. */
export async function demo(args: Args): Promise<number> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'conclave-demo-')))
  cpSync(join(packageRoot(), 'samples', 'demo'), folder, { recursive: true })
  const say = (text: string) => void process.stdout.write(`${text}\n`)
  say(`A copy of the sample project is in ${folder}`)
  say(`Tests before: ${runTests(folder).summary}`)
  say(`\n> ${TASK}\n`)

  const agent_id = 'rehearsal'
  const roster = {
    agents: [{ id: agent_id, backend: { type: 'rehearsal' as const } }],
    base: folder,
    source: 'demo',
  }
  const { engine } = await composeEngine(args, roster)
  const subscription = engine.subscribe()
  const stop = new AbortController()
  process.on('SIGINT', () => stop.abort())
  try {
    const chat_id = engine.newChatId()
    await engine.execute({ type: 'create_chat', chat_id, folder, title: `Demo: ${TASK}` })
    const { result } = await runHeadless(engine, {
      chat_id,
      subscription,
      message: {
        text: TASK,
        agent_id,
        settings: { permission: 'auto', max_iterations: 15, reflect: 'changed' },
      },
      format: 'text',
      on_pending: 'default',
      verbose: args.has('verbose'),
      out: (text) => writeOut(`\n${text}`),
      progress: (text) => process.stdout.write(text),
      signal: stop.signal,
    })
    const after = runTests(folder)
    say(`\nTests after: ${after.summary}`)
    say(`Every step is kept: conclave sessions show ${chat_id}`)
    return result.status === 'complete' && after.passed ? exitCodes.done : exitCodes.failed
  } finally {
    await engine.close()
  }
}

function runTests(folder: string): { passed: boolean; summary: string } {
  const { status, stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined },
  })
  const count = (word: string) => stdout.match(new RegExp(`^# ${word} (\\d+)`, 'm'))?.[1] ?? '?'
  return { passed: status === 0, summary: `${count('pass')} passed, ${count('fail')} failed` }
}
