import { expect, onTestFinished } from 'vitest'
import { readAssets } from '../../src/cli/serve-parts.ts'
import { startServer } from '../server/support.ts'
import { testWith } from '../support/needs.ts'
import { Program, serverConfig } from '../support/program.ts'
import { openPage, servePage, sharedBrowser, startServer as startProgram } from './served-page.ts'
import { slowWriter } from './slow-writer.ts'

testWith('chromium', 'a lost connection is said, and what was missed is there when it is back', async () => {
  const { bench, server } = await startServer({
    replies: [{ text: 'First answer.' }, { text: 'Second answer.' }],
    assets: readAssets(),
  })
  await bench.run('one')
  const context = await (await sharedBrowser()).newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(server.page)
  await page.goto(`${server.url}/#${bench.chat}`)
  const said = (text: string) => page.locator('[data-card="MessageCard"]').filter({ hasText: text })
  await said('First answer.').waitFor()
  expect(await page.locator('.connection').textContent()).toBe('connected')

  await context.route('**/api/**', (route) => route.abort())
  server.streams.closeAll()
  await page.locator('.connection.lost').waitFor()
  expect(await page.locator('.connection').textContent()).toBe('no connection')
  await bench.run('two')
  expect(await said('Second answer.').count()).toBe(0)
  await page.getByLabel('Message').fill('three')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  // What could not be sent is not lost.
  expect(await page.getByLabel('Message').inputValue()).toBe('three')

  await context.unroute('**/api/**')
  await page.locator('.connection.connected').waitFor()
  await said('Second answer.').waitFor()
  expect([await said('First answer.').count(), await said('Second answer.').count()]).toEqual([1, 1])
})

testWith(
  'chromium',
  'a lost connection is said before there is a chat, and a chat that could not be opened is tried again',
  async () => {
    const { bench, server } = await startServer({
      replies: [{ text: 'First answer.' }],
      assets: readAssets(),
    })
    await bench.run('one')
    const context = await (await sharedBrowser()).newContext()
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(server.page)
    await page.locator('.chat-link').waitFor()
    expect(await page.locator('.connection').textContent()).toBe('connected')

    await context.route('**/api/**', (route) => route.abort())
    server.streams.closeAll()
    await page.locator('.connection.lost').waitFor()
    await page.locator('.chat-link').click()
    await page.getByText('the server does not answer').waitFor()
    expect(await page.locator('[data-card="MessageCard"]').count()).toBe(0)

    await context.unroute('**/api/**')
    await page.getByText('First answer.').first().waitFor()
    expect(await page.getByText('the server does not answer').count()).toBe(0)
  },
)

testWith('chromium', 'what was refused in one chat is not said in another', async () => {
  const served = await servePage({ replies: [{ text: 'First answer.' }] })
  const { page } = served
  await served.send('one')
  await page.getByText('First answer.').first().waitFor()
  const { origin, hash } = new URL(page.url())
  await page.goto(`${origin}/#chat_none`)
  await page.getByText('there is no chat chat_none').waitFor()
  await served.send('two')
  await page.getByRole('alert').waitFor()
  await page.goto(`${origin}/${hash}`)
  await page.getByText('First answer.').first().waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

testWith(
  'chromium',
  'a page goes on with a server that was killed and started again with its token, and nothing is there twice',
  async () => {
    const model = await slowWriter(12)
    const program = new Program().configure(serverConfig(model.url))
    const options = { env: { CONCLAVE_TOKEN: 'k'.repeat(40) } }
    const first = await startProgram(program, options)
    const served = await openPage(program, first.running, first.url)
    const { page } = served
    await served.send('write it')
    const answer = served.card('MessageCard').filter({ hasText: 'word4' })
    await answer.waitFor()
    first.running.signal('SIGKILL')
    await first.running.ended
    await page.locator('.connection.lost').waitFor()

    const { port } = new URL(first.url)
    await startProgram(program, { ...options, args: ['--port', port] })
    await page.locator('.connection.connected').waitFor()
    await page.getByText('word0').waitFor()
    expect(((await answer.textContent()) ?? '').match(/word0/g)).toHaveLength(1)
    await page.getByText('locked while agents work').waitFor({ state: 'detached' })
    expect(await answer.count()).toBe(1)
    expect(((await answer.textContent()) ?? '').match(/word\d+/g)).toHaveLength(12)
    expect(model.asked()).toBe(2)
  },
)
