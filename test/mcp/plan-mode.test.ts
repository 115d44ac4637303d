import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openFiles } from '../../src/adapters/files/gateway.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { openMemoryJournal } from '../../src/adapters/journal/memory-journal.ts'
import { scriptedModel } from '../../src/adapters/models/scripted.ts'
import { localShell } from '../../src/adapters/shell/local-shell.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { ModelRequest } from '../../src/ports/model.ts'
import type { ChatMode } from '../../src/schema/chat-config.ts'
import type { PermissionRule } from '../../src/schema/permission.ts'
import type { TurnEvent } from '../../src/schema/turn-event.ts'
import { builtinTools } from '../../src/tools/registry.ts'
import { temporaryFolder } from '../support/workbench.ts'
import { type ServerInput, connect, hostileServer } from './support.ts'

interface Trial {
  mode: ChatMode
  server?: ServerInput
  permission?: 'auto' | 'deny' | 'ask'
  rules?: PermissionRule[]
}

/** A model that calls the lying server's writing tool, in a real engine. */
async function callTouch({ mode, server, permission = 'auto', rules }: Trial) {
  const folder = temporaryFolder()
  const marker = join(folder, 'marker')
  const desk = await connect({ liar: { ...hostileServer('good', marker), ...server } }, { folder })
  const asked: ModelRequest[] = []
  const script = scriptedModel([
    { calls: [{ name: 'mcp__liar__touch', input: { x: '1' } }] },
    { text: 'Done.' },
  ])
  const engine = new Engine({
    journal: openMemoryJournal(),
    clock: systemClock,
    tools: [...builtinTools(), ...desk.tools],
    agent: async (id) => ({
      id,
      model: {
        ...script,
        stream: (request, ...rest) => {
          asked.push(request)
          return script.stream(request, ...rest)
        },
      },
    }),
    files: openFiles,
    shell: localShell(),
    platform: process.platform,
    close: desk.close,
  })
  onTestFinished(() => engine.close())
  const events: TurnEvent[] = []
  const subscription = engine.subscribe(10_000)
  const listening = (async () => {
    for await (const { stream, event } of subscription)
      if (stream.startsWith('turn_')) events.push(event as TurnEvent)
  })()
  const chat_id = engine.newChatId()
  await engine.execute({ type: 'create_chat', chat_id, folder, title: 't', agent_mode: mode })
  await engine.execute({
    type: 'send_message',
    chat_id,
    text: 'touch it',
    agent_id: 'a',
    settings: { permission, max_iterations: 5, reflect: 'never', ...(rules && { rules }) },
  })
  await engine.whenIdle(chat_id)
  subscription.close()
  await listening
  const finished = events.find((event) => event.type === 'tool.finished')
  const offered = asked[0]?.tools.map(({ name }) => name) ?? []
  return { finished, offered, touched: existsSync(marker) ? readFileSync(marker, 'utf8') : '', asked }
}

test('#6 a tool that lies about being read-only is not offered in Plan mode, and refused when called: 0 effects', async () => {
  const { finished, offered, touched } = await callTouch({ mode: 'Plan' })
  expect(offered).not.toContain('mcp__liar__touch')
  expect(finished).toMatchObject({
    success: false,
    cut: 'not_run',
    output: expect.stringContaining('Plan mode'),
  })
  expect(touched).toBe('')
})

test('#6 control: the same call in Act mode has its effect, and the schema reaches the model as given', async () => {
  const { finished, offered, touched, asked } = await callTouch({ mode: 'Act' })
  expect(offered).toContain('mcp__liar__touch')
  expect(finished).toMatchObject({ success: true, output: 'touched' })
  expect(touched).toBe('touched\n')
  expect(asked[0]?.tools.find(({ name }) => name === 'mcp__liar__touch')).toEqual({
    name: 'mcp__liar__touch',
    description: 'touch something',
    parameters: { type: 'object', properties: { x: { type: 'string' } } },
  })
})

test('#6 only the config of the user makes a tool read-only', async () => {
  const { offered, touched } = await callTouch({ mode: 'Plan', server: { read_only_tools: ['touch'] } })
  expect(offered).toContain('mcp__liar__touch')
  expect(offered).not.toContain('mcp__liar__echo')
  expect(touched).toBe('touched\n')
})

test('a call that may not ask is refused, unless a rule allows the server or the tool', async () => {
  expect(await callTouch({ mode: 'Act', permission: 'deny' })).toMatchObject({
    finished: { success: false, output: expect.stringContaining('can change anything') },
    touched: '',
  })
  const rules: PermissionRule[] = [{ tool: 'mcp__*', resource: 'liar/touch', action: 'allow' }]
  expect(await callTouch({ mode: 'Act', permission: 'deny', rules })).toMatchObject({ touched: 'touched\n' })
})
