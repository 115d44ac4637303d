import { expect } from 'vitest'
import { testWith } from '../support/needs.ts'
import { Program } from '../support/program.ts'
import { TerminalSession } from '../support/terminal.ts'
import { openPage, startServer } from './served-page.ts'

const asks = (question: string) => ({
  text: JSON.stringify({
    type: 'question',
    question,
    severity: 'major',
    options: [
      { label: 'Left', value: 'l' },
      { label: 'Right', value: 'r' },
    ],
  }),
})

testWith(
  'chromium',
  'a terminal and a page watch one chat: whoever answers first wins, and the other sees it',
  async () => {
    const program = new Program()
    const { running, url } = await startServer(program, {
      replies: [asks('Which way?'), asks('And then?'), { text: 'Arrived.' }],
    })
    const served = await openPage(program, running, url)
    await served.send('turn around')
    await served.button('Left').waitFor()
    const chat = new URL(served.page.url()).hash

    const terminal = new TerminalSession(program, ['attach', `${url}${chat}`])
    await terminal.waitFor('Which way?')
    await served.button('Right').click()
    await terminal.waitFor('And then?')
    expect(terminal.scrollback()).toContain('Right')

    await served.page.getByText('And then?').first().waitFor()
    await terminal.pressUntil('1', (screen) => screen.includes('Arrived.'))
    await served.page.getByText('Arrived.').first().waitFor()
    expect(await served.button('Left').count()).toBe(0)
    const answered = await served.card('QuestionMessageCard').allTextContents()
    expect(answered[0]).toContain('Right answered by web')
    expect(answered[1]).toContain('Left answered by terminal')

    terminal.type('thanks\r')
    await served.card('MessageCard').filter({ hasText: 'thanks' }).waitFor()
    await terminal.press('ctrl+c', 'ctrl+c', 'ctrl+c')
    expect(await terminal.ended).toMatchObject({ code: 0 })
    // Leaving a terminal stops nothing for the others.
    await served.page.reload()
    await served.card('MessageCard').filter({ hasText: 'thanks' }).waitFor()
  },
)
