import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { testWith } from '../support/needs.ts'
import { Program } from '../support/program.ts'
import { writeLongChat } from './long-chat.ts'
import { openPage, startServer } from './served-page.ts'

const messages = 100_000

testWith('chromium', 'a chat of 100,000 messages scrolls; what is read stays where it is', async () => {
  const program = new Program()
  await writeLongChat({ folder: program.folder, journal: program.journal, messages })
  const { running, url } = await startServer(program, {
    replies: [{ text: 'one more', delay_ms: 1500 }],
  })
  const served = await openPage(program, running, url)
  const { page } = served
  page.setDefaultTimeout(60_000)
  await page.getByRole('button', { name: /A long chat/ }).click()
  await page.locator('.row', { hasText: `Message ${messages}.` }).waitFor()
  expect(await page.locator('.row').count()).toBeLessThan(80)

  expect(await loaded(page)).toBeLessThan(2_000)

  await scrollTo(page, 0.05)
  const read = await settled(page)
  while ((await loaded(page)) <= 1_000) await page.waitForTimeout(50)
  const still = await settled(page)
  expect(still.text).toBe(read.text)
  expect(Math.abs(still.offset - read.offset)).toBeLessThanOrEqual(2)

  await page.getByRole('button', { name: /To the beginning/ }).click()
  await page.locator('.row', { hasText: /Message 1\.$|Message 1\. / }).waitFor()
  expect(await loaded(page)).toBe(messages)
  await scrollTo(page, 0.5)
  await page.getByRole('article').first().waitFor()
  const middle = await settled(page)
  expect(middle.place).toBeGreaterThan(messages * 0.3)
  expect(middle.place).toBeLessThan(messages * 0.7)
  expect(await page.locator('.row').count()).toBeLessThan(80)

  await served.send('one more, please')
  await page.getByText('locked while agents work').waitFor()
  await page.getByText('locked while agents work').waitFor({ state: 'detached' })
  const after = await settled(page)
  expect(after.text).toBe(middle.text)
  expect(Math.abs(after.offset - middle.offset)).toBeLessThanOrEqual(2)

  await page.getByRole('button', { name: /To the end/ }).click()
  await page.locator('.row').getByText('one more', { exact: true }).waitFor()
})

/** How many rows the list says it has. */
const loaded = async (page: Page): Promise<number> =>
  Number(await page.locator('.row').first().getAttribute('aria-setsize'))

const scrollTo = (page: Page, part: number): Promise<void> =>
  page.locator('.scroller').evaluate((node, part) => {
    node.scrollTop = (node.scrollHeight - node.clientHeight) * part
  }, part)

/** The row at the top of the view, once nothing moves any more. */
async function settled(page: Page): Promise<{ place: number; text: string; offset: number }> {
  const look = () =>
    page.locator('.scroller').evaluate((node) => {
      const top = node.getBoundingClientRect().top
      const row = [...node.querySelectorAll('.row')].find(
        (each) => each.getBoundingClientRect().bottom > top + 1,
      )
      const offset = (row?.getBoundingClientRect().top ?? 0) - top
      return { place: Number(row?.getAttribute('aria-posinset')), text: row?.textContent ?? '', offset }
    })
  let before = await look()
  for (;;) {
    await page.waitForTimeout(200)
    const now = await look()
    if (now.text === before.text && now.offset === before.offset) return now
    before = now
  }
}
