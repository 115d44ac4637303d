import { expect, onTestFinished } from 'vitest'
import { readAssets } from '../../src/cli/serve-parts.ts'
import { startServer } from '../server/support.ts'
import { testWith } from '../support/needs.ts'
import { sharedBrowser } from './served-page.ts'

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
