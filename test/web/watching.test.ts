import { expect } from 'vitest'
import { testWith } from '../support/needs.ts'
import { Program } from '../support/program.ts'
import { openPage, servePage, startServer } from './served-page.ts'

const call = (name: string, input: Record<string, unknown>) => ({ calls: [{ name, input }] })

testWith('chromium', 'what a running command prints is shown while it runs', async () => {
  const command = 'for n in 1 2 3 4 5 6 7 8; do echo tick $n; sleep 0.6; done; echo over'
  const served = await servePage({
    replies: [call('shell', { command }), { text: 'It ran.' }],
    args: ['--permission-mode=auto'],
  })
  await served.send('run it')
  const running = served.card('ToolCallCard')
  await running.getByLabel('Output so far').getByText('tick').waitFor()
  expect(await running.textContent()).not.toMatch(/tick \d\s+over/)
  await served.picture('live-output')
  await served.page.getByText('It ran.').first().waitFor()
  expect(await served.page.getByLabel('Output so far').count()).toBe(0)
})

testWith('chromium', 'a long output is shown shortened, and whole when somebody wants it', async () => {
  const served = await servePage({
    replies: [call('shell', { command: 'seq 1 4000' }), { text: 'Counted.' }],
    args: ['--permission-mode=auto'],
  })
  await served.send('count')
  await served.page.getByText('Counted.').first().waitFor()
  const result = served.card('ToolResultCard').filter({ hasText: 'shell' })
  await result.getByRole('button').first().click()
  const output = result.getByLabel('Output of shell')
  const short = (await output.textContent()) ?? ''
  expect(short).not.toContain('\n2000\n')
  await result.getByRole('button', { name: /^Show all/ }).click()
  await output.getByText('\n2000\n').waitFor({ state: 'attached' })
  expect(((await output.textContent()) ?? '').length).toBeGreaterThan(short.length)
  expect(await result.getByRole('button', { name: /^Show all/ }).count()).toBe(0)
})

testWith('chromium', 'the steps of a sub-agent are a transcript of their own', async () => {
  const served = await servePage({
    files: { 'deep.txt': 'treasure\n' },
    replies: [
      call('explore', { question: 'Where is it?' }),
      call('read_file', { path: 'deep.txt' }),
      { text: 'It is in deep.txt.' },
    ],
  })
  await served.send('find it')
  await served.page.getByText('It is in deep.txt.').first().waitFor()
  const result = served.card('ToolResultCard').filter({ hasText: 'explore' })
  await result.getByRole('button').first().click()
  await result.getByRole('button', { name: /^Steps/ }).click()
  const dialog = served.page.getByRole('dialog', { name: 'Steps of a sub-agent' })
  await dialog.getByText('Where is it?').first().waitFor()
  await dialog.locator('[data-card="ToolResultCard"]').filter({ hasText: 'read_file' }).waitFor()
  await served.picture('sub-agent')
  await served.page.keyboard.press('Escape')
  expect(await dialog.count()).toBe(0)
})

testWith('chromium', 'the top bar says how full the context is', async () => {
  const usage = { input_tokens: 47_000, output_tokens: 1_000, cost_usd: 0.25 }
  const served = await servePage({ replies: [{ text: 'Read a lot.', usage }], args: ['--max-budget-usd=3'] })
  await served.send('read')
  await served.page.getByText('Read a lot.').first().waitFor()
  const top = served.page.locator('.top')
  await top.getByText('48k ctx').waitFor()
  expect(await top.textContent()).toContain('$0.25 of $3.00')
})

testWith(
  'chromium',
  'chats made elsewhere appear by themselves; work that ends elsewhere is told',
  async () => {
    const program = new Program()
    const { running, url } = await startServer(program, {
      replies: [{ text: 'Slowly done.', delay_ms: 4_000 }],
    })
    const one = await openPage(program, running, url)
    const two = await openPage(program, running, url)
    await one.send('take your time')
    const link = two.page.getByRole('navigation').getByRole('button', { name: /take your time/ })
    await link.getByText('working').waitFor()
    await link.getByText('complete').waitFor()
    const news = two.page.getByRole('status', { name: 'News' })
    await news.getByText('is done').waitFor()
    await two.picture('news')
    await news.getByRole('button', { name: /^Show/ }).click()
    await two.page.getByText('Slowly done.').first().waitFor()
    expect(await news.getByText('is done').count()).toBe(0)
    expect(await one.page.getByRole('status', { name: 'News' }).getByText('is done').count()).toBe(0)
  },
)

testWith(
  'chromium',
  'steps of earlier turns are read when somebody scrolls up and asks for them',
  async () => {
    const turns = 24
    const served = await servePage({
      files: { 'a.txt': 'a\n' },
      replies: Array.from({ length: turns }, (_, turn) => [
        call('read_file', { path: 'a.txt' }),
        { text: `Answer ${turn}. ${'Many words make a long answer. '.repeat(12)}` },
      ]).flat(),
    })
    for (let turn = 0; turn < turns; turn++) {
      await served.send(`question ${turn}`)
      await served.page.getByText(`Answer ${turn}.`).first().waitFor()
      await served.page.getByText('locked while agents work').waitFor({ state: 'detached' })
    }
    await served.page.reload()
    await served.page
      .getByText(`Answer ${turns - 1}.`)
      .first()
      .waitFor()
    const scroll = (top: number) =>
      served.page.locator('.scroller').evaluate((node, top) => {
        node.scrollTop = top
      }, top)
    await scroll(0)
    await served.page.getByText('Answer 0.').first().waitFor()
    const rows = async () => Number(await served.page.locator('.row').first().getAttribute('aria-setsize'))
    const before = await rows()
    await served.button('↑ Read earlier steps').click()
    await served.button('↑ Read earlier steps').waitFor({ state: 'detached' })
    // Each of the four turns before the newest twenty has a call now.
    expect(await rows()).toBeGreaterThanOrEqual(before + 4)
    await scroll(0)
    await served.page.locator('.said', { hasText: /^question 0$/ }).waitFor()
  },
)
