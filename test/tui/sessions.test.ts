import { expect, test } from 'vitest'
import { Program } from '../support/program.ts'
import { TerminalSession } from '../support/terminal.ts'

async function twoChats(): Promise<TerminalSession> {
  const program = new Program()
  const terminal = new TerminalSession(program, [program.replies({ text: 'The answer mentions zebras.' })])
  await terminal.waitFor('agent answers')
  terminal.type('about animals\r')
  await terminal.waitFor('zebras')
  await terminal.waitUntilGone('Esc interrupt')
  terminal.type('/new\r')
  await terminal.waitFor('Say what is to be done.')
  terminal.type('about plants and walruses\r')
  await terminal.waitFor('zebras')
  await terminal.waitUntilGone('Esc interrupt')
  return terminal
}

test('/resume finds chats by title as one types, and by words said in any chat', async () => {
  const terminal = await twoChats()
  terminal.type('/resume\r')
  const all = await terminal.waitFor('╭─ Chats')
  expect(all).toContain('about animals')
  expect(all).toContain('about plants')
  expect(all).toContain('· complete ·')
  terminal.type('zebras')
  await terminal.waitFor((screen) => screen.includes('❯ zebras') && screen.includes('about animals'))
  expect(terminal.screen()).toContain('mentions zebras')
  await terminal.press('ctrl+u')
  terminal.type('walrus')
  await terminal.waitFor((screen) => screen.includes('▸ about plants') && !screen.includes('about animals'))
  await terminal.press('ctrl+u')
  terminal.type('animals')
  await terminal.waitFor(
    (screen) => screen.includes('▸ about animals') && !screen.includes('│   about plants'),
  )
  await terminal.press('enter')
  await terminal.waitFor('conclave · about animals')
})

test('/resume takes the words at once, and a click opens the chat', async () => {
  const terminal = await twoChats()
  terminal.type('/resume nothing-like-this\r')
  await terminal.waitFor('No chat fits')
  await terminal.escapeFrom('╭─ Chats')
  terminal.type('/resume zebras\r')
  await terminal.waitFor((screen) => screen.includes('╭─ Chats') && screen.includes('about animals'))
  await terminal.click('about animals')
  expect(await terminal.waitFor('conclave · about animals')).toContain('mentions zebras')
})
