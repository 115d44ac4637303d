import { expect, test } from 'vitest'
import { chatServer } from '../support/chat-server.ts'
import { Program } from '../support/program.ts'
import { TerminalSession } from '../support/terminal.ts'
import { team } from '../support/team-config.ts'

const threeAgents = () =>
  team(new Program(), {
    ada: [{ text: 'I am Ada.' }],
    bob: [{ text: 'I am Bob.' }],
    cyd: [{ text: 'I am Cyd.' }],
  })

test('MODE-4.1 in single-agent mode one tab is active and the others are grey', async () => {
  const terminal = new TerminalSession(threeAgents(), [])
  await terminal.waitFor('[ Multi ]')
  const bright = terminal.styleOf('2 bob').color
  expect(terminal.styleOf('1 ada').color).toBe(bright)
  await terminal.click('[ Multi ]')
  await terminal.waitFor('[ Single ]')
  await terminal.waitFor('ada answers')
  expect(terminal.styleOf('1 ada').color).toBe(bright)
  for (const grey of ['2 bob', '3 cyd']) expect(terminal.styleOf(grey).color).not.toBe(bright)
})

test('MODE-4.2 a click on a tab makes that agent the active one; a digit does too', async () => {
  const terminal = new TerminalSession(threeAgents(), ['--single'])
  await terminal.waitFor('ada answers')
  const bright = terminal.styleOf('1 ada').color
  await terminal.click('2 bob')
  await terminal.waitFor('bob answers')
  expect(terminal.styleOf('2 bob').color).toBe(bright)
  for (const grey of ['1 ada', '3 cyd']) expect(terminal.styleOf(grey).color).not.toBe(bright)
  terminal.type('who are you?\r')
  await terminal.waitFor('I am Bob.')
  terminal.type('3')
  await terminal.waitFor(() => terminal.styleOf('3 cyd').color === bright)
  for (const grey of ['1 ada', '2 bob']) expect(terminal.styleOf(grey).color).not.toBe(bright)
})

test('MODE-4.3 after a switch of the agent the new one has the whole conversation', async () => {
  const { base_url, requests } = await chatServer(() => ({ text: `Reply ${requests.length}.` }))
  const backend = `{ type: openai_compatible, base_url: "${base_url}", model: m }`
  const program = new Program().configure(
    `agents:\n  - { id: ada, backend: ${backend} }\n  - { id: bob, backend: ${backend} }\n`,
  )
  const terminal = new TerminalSession(program, ['--single'])
  await terminal.waitFor('ada answers')
  terminal.type('My favourite colour is teal.\r')
  await terminal.waitFor('Reply 1.')
  await terminal.waitUntilGone('Esc interrupt')
  await terminal.click('2 bob')
  await terminal.waitFor(() => terminal.styleOf('2 bob').bold)
  terminal.type('Which colour do I like?\r')
  await terminal.waitFor('Reply 2.')
  const told = JSON.stringify(requests[1]?.messages)
  for (const text of ['My favourite colour is teal.', 'Reply 1.', 'Which colour do I like?'])
    expect(told).toContain(text)
})
