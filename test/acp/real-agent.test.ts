import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { acpAgent } from '../../src/adapters/acp/acp-agent.ts'
import { type ChatReply, type ChatRequest, chatServer } from '../support/chat-server.ts'
import { testWith } from '../support/needs.ts'
import { Workbench, temporaryFolder } from '../support/workbench.ts'
import { processesWith, until } from './support.ts'

const settings = {
  security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false, disableAutoUpdate: true },
  privacy: { usageStatisticsEnabled: false },
  model: { name: 'mock' },
}

/** Qwen Code as it comes from npm, with a home of its own and our server for a model. */
async function realAgent(reply: (request: ChatRequest) => ChatReply) {
  const server = await chatServer(reply)
  const home = temporaryFolder()
  mkdirSync(join(home, '.qwen'))
  writeFileSync(join(home, '.qwen/settings.json'), JSON.stringify(settings))
  setVariables({
    HOME: home,
    OPENAI_API_KEY: 'mock-key',
    OPENAI_BASE_URL: server.base_url,
    OPENAI_MODEL: 'mock',
  })
  const program = process.env['CONCLAVE_TEST_ACP_AGENT'] ?? ''
  const model = acpAgent({
    // The program asks for a newer Node than the oldest one we start on.
    command: [process.execPath, program, '--acp'],
    label: 'qwen',
    env: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL'],
    state_paths: ['~/.qwen'],
  })
  onTestFinished(() => model.close())
  return { ...server, model, program }
}

function setVariables(variables: Record<string, string>): void {
  const before = { ...process.env }
  Object.assign(process.env, variables)
  onTestFinished(() => {
    for (const name of Object.keys(variables)) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  })
}

/** Calls the tool once when the person's last words ask for it; everything else is answered with text. */
const calling =
  (words: string, call: (folder: string) => { name: string; arguments: object }, folder: () => string) =>
  ({ messages, tools = [] }: ChatRequest): ChatReply => {
    const last = messages.at(-1)
    const asked = last?.role === 'user' && JSON.stringify(last.content).includes(words)
    return asked && tools.length > 0 ? { call: call(folder()) } : { text: 'All done here.' }
  }

describe('Qwen Code from npm', { timeout: 60_000 }, () => {
  testWith(
    'acp agent',
    'asks for permission, runs its tool once approved, and answers; the next turn goes on',
    async () => {
      let folder = ''
      const touch = () => ({
        name: 'run_shell_command',
        arguments: { command: 'touch made.txt', description: 'make it', is_background: false },
      })
      const { model, requests } = await realAgent(calling('make made.txt', touch, () => folder))
      const at = new Workbench({ model })
      folder = at.folder
      const turn_id = await at.start('make made.txt', { permission: 'ask' })
      const { pending } = await at.event('pending.opened')
      expect(pending).toMatchObject({
        kind: 'tool_approval',
        external: true,
        call: { name: 'execute', access: [{ kind: 'command', command: 'touch made.txt' }] },
      })
      expect(existsSync(join(folder, 'made.txt'))).toBe(false)
      const answer = { kind: 'tool_approval', decision: 'once' } as const
      await at.must({ type: 'answer_pending', turn_id, pending_id: pending.id, answer, by: 'test' })
      await at.engine.whenIdle(at.chat)
      expect(existsSync(join(folder, 'made.txt'))).toBe(true)
      const turn = await at.engine.turn(turn_id)
      expect(turn).toMatchObject({ outcome: 'complete', answer: 'All done here.' })
      expect(turn.usage.input_tokens).toBeGreaterThanOrEqual(200)
      expect(await at.event('external.finished')).toMatchObject({ call: { name: 'execute' }, success: true })

      expect((await at.run('and now?')).answer).toBe('All done here.')
      const { messages } = requests.findLast(({ messages }) =>
        JSON.stringify(messages.at(-1)).includes('and now?'),
      ) ?? {
        messages: [],
      }
      expect(JSON.stringify(messages)).toContain('make made.txt')
    },
  )

  testWith('acp agent', 'stops when it is cancelled', async () => {
    const { model, requests, program } = await realAgent(() => 'silence')
    const at = new Workbench({ model })
    await at.start('hello')
    await until(() => requests.length > 0)
    expect(processesWith(program)).not.toEqual([])
    await at.must({ type: 'interrupt', chat_id: at.chat })
    await at.engine.whenIdle(at.chat)
    expect(await at.event('turn.finished')).toMatchObject({ outcome: 'cancelled' })
    await model.close()
    expect(processesWith(program)).toEqual([])
  })

  testWith(['acp agent', 'bwrap'], 'changes nothing in Plan mode', async () => {
    let folder = ''
    const write = (inside: string) => ({
      name: 'write_file',
      arguments: { file_path: join(inside, 'made.txt'), content: 'made\n' },
    })
    const { model, requests } = await realAgent(calling('make made.txt', write, () => folder))
    const at = new Workbench({ files: { 'a.txt': 'old\n' }, model })
    folder = at.folder
    expect(await at.run('make made.txt', { mode: 'Plan' })).toMatchObject({
      outcome: 'complete',
      answer: expect.stringContaining('All done here.'),
    })
    expect(requests.length).toBeGreaterThan(1)
    expect(readdirSync(folder)).toEqual(['a.txt'])
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('old\n')
  })
})
