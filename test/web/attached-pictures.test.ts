import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { MOST_PICTURES } from '../../src/schema/picture.ts'
import { testWith } from '../support/needs.ts'
import { pngOf } from '../support/sample-pictures.ts'
import {
  attachedIn,
  blue,
  choice,
  choose,
  drop,
  inRequest,
  openWithModel,
  patient,
  red,
  said,
  tall,
  widthsOf,
} from './attaching.ts'

testWith('chromium', 'pictures are pasted, dropped and chosen, and their bytes reach the model', async () => {
  const { served, model, page } = await openWithModel()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
    const blob = new Blob([bytes], { type: 'image/png' })
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })])
  }, red.toString('base64'))
  await page.getByRole('textbox', { name: 'Message' }).focus()
  await page.keyboard.press('Control+V')
  await attachedIn(served).getByRole('button', { name: 'Remove image.png' }).waitFor()

  const file = join(served.program.home, 'dropped.png')
  writeFileSync(file, blue)
  await drop(served, 'main', [file])
  await attachedIn(served).getByRole('img', { name: 'dropped.png' }).waitFor()
  expect(await page.getByText('Drop pictures here').count()).toBe(0)

  await choose(served, [choice('chosen.png', tall)])
  await expect.poll(() => widthsOf(attachedIn(served).getByRole('img')), patient).toEqual([320, 90, 40])
  expect(await attachedIn(served).getByRole('listitem').nth(2).textContent()).toContain(`${tall.length} B`)
  await served.picture('pictures-attached')

  await served.send('What are these?')
  await page.getByText('I see it.').first().waitFor()
  expect(await attachedIn(served).count()).toBe(0)
  const [words, pasted, ...rest] = said(model.requests[0]) as ReturnType<typeof inRequest>[]
  expect(words).toEqual({ type: 'text', text: 'What are these?' })
  // The browser writes a pasted picture anew; what it shows is the same.
  expect(pasted?.image_url.url).toMatch(/^data:image\/png;base64,iVBOR/u)
  expect(rest).toEqual([inRequest(blue), inRequest(tall)])
  expect([served.strangers, served.complaints]).toEqual([[], []])

  const shown = served.card('MessageCard').first().getByRole('img')
  await page.reload()
  await expect.poll(() => widthsOf(shown), patient).toEqual([320, 90, 40])
  expect(await shown.evaluateAll((all) => all.map((image) => image.getAttribute('alt')))).toEqual([
    'image.png',
    'dropped.png',
    'chosen.png',
  ])
})

testWith('chromium', 'words that are pasted with a picture of them stay words', async () => {
  const { served, page } = await openWithModel()
  const isLeftAlone = await page.getByRole('textbox', { name: 'Message' }).evaluate((field, data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }))
    clipboardData.setData('text/plain', 'a\tb')
    return field.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, blue.toString('base64'))
  expect(isLeftAlone).toBe(true)
  await choose(served, [choice('dot.png', red)])
  expect(await attachedIn(served).getByRole('listitem').count()).toBe(1)
})

testWith('chromium', 'a picture alone is a message; one that was removed is not sent', async () => {
  const { served, model, page } = await openWithModel()
  expect(await served.button('Send').isDisabled()).toBe(true)
  await choose(served, [choice('red.png', red), choice('blue.png', blue)])
  const remove = served.button('Remove red.png')
  await remove.focus()
  await page.keyboard.press('Enter')
  expect(await remove.count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Message')
  await page.keyboard.press('Enter')
  await page.getByText('I see it.').first().waitFor()
  expect(said(model.requests[0])).toEqual([{ type: 'text', text: '' }, inRequest(blue)])
  expect(await page.title()).toBe('blue.png · Conclave')
})

testWith(
  'chromium',
  'what is no picture, too large or too much is refused in words, and nothing is lost',
  async () => {
    const { served, page } = await openWithModel()
    await page.getByRole('textbox', { name: 'Message' }).fill('half a thou')
    await choose(served, [choice('red.png', red)])
    const wrong = [choice('notes.png', Buffer.from('only text')), choice('huge.png', pngOf(6_000_000))]
    await choose(served, [...wrong, choice('blue.png', blue)], 1)
    const refused = page.getByRole('alert')
    await refused.getByText('notes.png is not attached: this is no PNG, JPEG, GIF or WebP').waitFor()
    await refused.getByText('huge.png is not attached: it has 6.0 MB; models take at most 5 MB').waitFor()
    await served.picture('pictures-refused')
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('half a thou')

    const many = Array.from({ length: MOST_PICTURES }, (_, index) => choice(`${index}.png`, red))
    await choose(served, many, MOST_PICTURES - 2)
    await refused.getByText('2 files are not attached: a message takes at most 10 pictures').waitFor()
    expect(await refused.textContent()).not.toContain('notes.png')
    await served.picture('pictures-many')
    await served.button('Dismiss what was refused').click()
    expect(await refused.count()).toBe(0)
    expect(await attachedIn(served).getByRole('img').count()).toBe(MOST_PICTURES)
  },
)

testWith('chromium', 'a message that is refused keeps its words and pictures', async () => {
  const { served, model, page } = await openWithModel()
  await choose(served, [choice('red.png', red)])
  const kept = join(served.program.home, '.local/share/conclave/pictures')
  for (const name of readdirSync(kept)) rmSync(join(kept, name))
  await served.send('What is this?')
  await page
    .getByRole('alert')
    .getByText('the picture red.png is not there (any more); add it again')
    .waitFor()
  const field = page.getByRole('textbox', { name: 'Message' })
  await expect.poll(() => field.inputValue(), patient).toBe('What is this?')
  await served.button('Remove red.png').click()
  await choose(served, [choice('blue.png', blue)])
  await field.press('Enter')
  await page.getByText('I see it.').first().waitFor()
  expect(said(model.requests[0])).toEqual([{ type: 'text', text: 'What is this?' }, inRequest(blue)])
  const chats = page.getByRole('navigation', { name: 'Chats' }).getByRole('button', { name: /What is this/u })
  expect(await chats.count()).toBe(1)
})

testWith('chromium', 'while an agent works, pictures wait for the next message', async () => {
  let isLate = true
  const { served, model, page } = await openWithModel({
    reply: () => (isLate ? 'silence' : { text: 'I see it.' }),
  })
  await served.send('take your time')
  await served.button('Interrupt').waitFor()
  await choose(served, [choice('red.png', red)])
  await page.getByText('Pictures go with your next message, not with guidance.').waitFor()
  expect(await served.button('Guide').isDisabled()).toBe(true)
  isLate = false
  await served.button('Interrupt').click()
  await served.button('Send').waitFor()
  await served.send('now')
  await page.getByText('I see it.').first().waitFor()
  expect(said(model.requests.at(-1))).toEqual([{ type: 'text', text: 'now' }, inRequest(red)])
})

testWith('chromium', 'a file that is dropped beside the chat does not take the page away', async () => {
  const { served, page } = await openWithModel()
  // Without a window of its own, this browser would not leave the page; what it was told shows.
  const isLeftToBrowser = await page.getByRole('navigation').evaluate((aside) =>
    ['dragover', 'drop'].map((type) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['x'], 'a.png', { type: 'image/png' }))
      return aside.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    }),
  )
  expect(isLeftToBrowser).toEqual([false, false])
  expect(await attachedIn(served).count()).toBe(0)
})

testWith('chromium', 'what is uploaded is shown, can be taken back, and is waited for', async () => {
  const { served, page } = await openWithModel()
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/pictures', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('textbox', { name: 'Message' }).fill('look')
  const chooser = page.waitForEvent('filechooser')
  await served.button('Add pictures').click()
  await (await chooser).setFiles([choice('red.png', red), choice('blue.png', blue)])
  await page.getByRole('progressbar', { name: 'Uploading red.png' }).waitFor()
  await served.picture('pictures-uploading')
  expect(await served.button('Send').isDisabled()).toBe(true)
  await served.button('Remove red.png').click()
  release()
  await expect.poll(() => widthsOf(attachedIn(served).getByRole('img')), patient).toEqual([90])
  expect(await served.button('Send').isEnabled()).toBe(true)

  const { running } = served
  running.signal('SIGKILL')
  await running.ended
  await choose(served, [choice('tall.png', tall)], 0)
  await page
    .getByRole('alert')
    .getByText('tall.png is not attached: the server does not answer; add it again')
    .waitFor()
  expect(await attachedIn(served).getByRole('img').count()).toBe(1)
})

testWith('chromium', 'a team is shown the picture, and so is who looks at the tab of an agent', async () => {
  const { served, model, page } = await openWithModel({
    config: (base_url) => {
      const backend = `{ type: openai_compatible, base_url: "${base_url}", model: m }`
      return `agents:\n  - { id: ada, backend: ${backend} }\n  - { id: bob, backend: ${backend} }\n`
    },
    reply: () => 'silence',
  })
  await choose(served, [choice('red.png', red)])
  await served.send('What is this?')
  await expect.poll(async () => model.requests.length, patient).toBe(2)
  for (const request of model.requests)
    expect(JSON.stringify(said(request))).toContain(red.toString('base64'))
  await page.getByRole('tab', { name: /ada/u }).click()
  await expect.poll(() => widthsOf(served.card('MessageCard').getByRole('img')), patient).toEqual([320])
})
