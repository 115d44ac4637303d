import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chatServer } from '../support/chat-server.ts'
import { Program, serverConfig } from '../support/program.ts'
import { TerminalSession } from '../support/terminal.ts'

test('an edited call is refused as it was; the agent is told the new one, which is asked about again', async () => {
  const commands = ['touch wrong', 'touch right']
  const { base_url, requests } = await chatServer(() => {
    const command = commands.shift()
    return command ? { call: { name: 'shell', arguments: { command } } } : { text: 'finished' }
  })
  const program = new Program().configure(serverConfig(base_url))
  const terminal = new TerminalSession(program, [])
  await terminal.waitFor('a answers')
  terminal.type('go\r')
  await terminal.waitFor('e edit')
  terminal.type('e')
  await terminal.waitFor('❯ touch wrong')
  await terminal.press('escape')
  await terminal.waitFor('e edit')
  expect(terminal.screen()).not.toContain('❯ touch wrong')
  await terminal.click('edit')
  await terminal.waitFor('❯ touch wrong')
  await terminal.press('enter')
  await terminal.waitFor('Nothing was changed')
  terminal.type('e')
  await terminal.waitFor('❯ touch wrong')
  await terminal.press(...Array.from({ length: 5 }, () => 'backspace' as const))
  terminal.type('right\r')
  await terminal.waitFor((screen) => screen.includes('touch right') && screen.includes('e edit'))
  expect(JSON.stringify(requests.at(-1)?.messages)).toContain('exactly this command instead:\\ntouch right')
  expect(existsSync(join(program.folder, 'right'))).toBe(false)
  await terminal.pressUntil('y', (screen) => screen.includes('finished'))
  expect(existsSync(join(program.folder, 'right'))).toBe(true)
  expect(existsSync(join(program.folder, 'wrong'))).toBe(false)
})
