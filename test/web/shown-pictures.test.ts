import { expect } from 'vitest'
import { testWith } from '../support/needs.ts'
import { faults } from './axe.ts'
import { choice, choose, openWithModel, patient, red, tall, widthsOf } from './attaching.ts'

testWith('chromium', 'a picture is shown large; Esc closes it and the focus returns', async () => {
  const { served, page } = await openWithModel()
  await choose(served, [choice('red.png', red)])
  await served.send('look')
  await page.getByText('I see it.').first().waitFor()
  const thumbnail = served.card('MessageCard').first().getByRole('button', { name: 'red.png' })
  const isFocused = () => thumbnail.evaluate((node) => node === document.activeElement)
  const dialog = page.getByRole('dialog', { name: 'red.png' })
  await thumbnail.focus()
  await page.keyboard.press('Enter')
  const large = dialog.getByRole('img', { name: 'red.png' })
  await expect.poll(async () => (await large.boundingBox())?.width, patient).toBe(320)
  await served.picture('picture-large')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await isFocused()).toBe(true)
  await thumbnail.click()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await isFocused()).toBe(true)
})

testWith(
  'chromium',
  'a row has its height before its pictures arrive, and keeps it without them',
  async () => {
    const { served, page } = await openWithModel()
    await choose(served, [choice('red.png', red), choice('tall.png', tall)])
    await served.send('look')
    await page.getByText('I see it.').first().waitFor()
    const row = page.locator('.row').first()
    const heightOf = () => row.evaluate((node) => node.getBoundingClientRect().height)
    await expect.poll(() => widthsOf(row.getByRole('img')), patient).toEqual([320, 40])
    const height = await heightOf()

    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/pictures/*', async (route) => {
      await held
      await route.abort()
    })
    await page.reload()
    await row.getByRole('img').first().waitFor()
    expect(await widthsOf(row.getByRole('img'))).toEqual([0, 0])
    expect(await heightOf()).toBe(height)
    release()
    await row.getByText('tall.png cannot be shown').waitFor()
    expect(await heightOf()).toBe(height)
  },
)

const looks = [
  { name: 'light', context: {} },
  { name: 'dark', context: { colorScheme: 'dark' } },
  { name: 'narrow', context: { viewport: { width: 360, height: 740 } } },
  { name: 'narrow and dark', context: { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } },
] as const

for (const { name, context } of looks) {
  testWith('chromium', `axe finds no serious fault where pictures are: ${name}`, async () => {
    const { served, page } = await openWithModel({ context: { ...context } })
    const check = async (state: string): Promise<void> => {
      await served.picture(`pictures-${name}-${state}`)
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect({ state, faults: await faults(page), wider }).toEqual({ state, faults: [], wider: 0 })
    }
    const longName = `a-picture-with-a-name-that-goes-on-and-on-${'x'.repeat(60)}.png`
    const wrong = choice('notes.png', Buffer.from('only text'))
    const files = [choice('red.png', red), choice(longName, tall), choice('third.png', red)]
    await choose(served, [...files, wrong], files.length)
    await page.getByRole('alert').waitFor()
    await check('attached')
    await served.send('What are these?')
    await page.getByText('I see it.').first().waitFor()
    const images = served.card('MessageCard').first().getByRole('img')
    await expect.poll(() => widthsOf(images), patient).toEqual([320, 40, 320])
    await check('said')
    await images.first().click()
    await page.getByRole('dialog', { name: 'red.png' }).waitFor()
    await check('large')
  })
}
