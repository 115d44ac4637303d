import { expect } from 'vitest'
import type { BrowserContextOptions } from 'playwright-core'
import { type ChatReply, type ChatRequest, chatServer } from '../support/chat-server.ts'
import { Program, serverConfig } from '../support/program.ts'
import { png } from '../support/sample-pictures.ts'
import { type ServedPage, openPage, startServer } from './served-page.ts'

/** A machine that is busy with other tests takes its time. */
export const patient = { timeout: 30_000 }

/** Of different shapes, to be told apart by their widths. */
export const red = png({ width: 320, height: 200 })
export const blue = png({ width: 90, height: 300, colour: [40, 60, 200] })
export const tall = png({ width: 40, height: 900, colour: [40, 160, 60] })

export const choice = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer })

export const inRequest = (bytes: Buffer) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${bytes.toString('base64')}` },
})

/** What the person said, as the model got it. */
export const said = (request: ChatRequest | undefined): unknown =>
  request?.messages.findLast(({ role }) => role === 'user')?.content

export interface Opening {
  reply?: (request: ChatRequest) => ChatReply
  config?: (base_url: string) => string
  context?: BrowserContextOptions
}

/** A page whose agent asks a real server for its replies. */
export async function openWithModel(options: Opening = {}) {
  const { reply = () => ({ text: 'I see it.' }), config = serverConfig, context } = options
  const model = await chatServer(reply)
  const program = new Program().configure(config(model.base_url))
  const { running, url } = await startServer(program, {})
  const served = await openPage(program, running, url, context)
  return { served, model, page: served.page }
}

export const attachedIn = ({ page }: ServedPage) => page.getByRole('list', { name: 'Attached pictures' })

/** Chooses files with the button, and waits until those that are taken are there. */
export async function choose(served: ServedPage, files: ReturnType<typeof choice>[], taken = files.length) {
  const before = await attachedIn(served).getByRole('img').count()
  const chooser = served.page.waitForEvent('filechooser')
  await served.button('Add pictures').click()
  await (await chooser).setFiles(files)
  await expect.poll(() => attachedIn(served).getByRole('img').count(), patient).toBe(before + taken)
}

/** Whether the browser has drawn it, and not only made room for it. */
export const widthsOf = (images: ReturnType<ServedPage['card']>) =>
  images.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth))

/** As a person drops files from elsewhere. */
export async function drop({ page }: ServedPage, target: string, files: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const box = await page.locator(target).first().boundingBox()
  if (!box) throw new Error(`there is no ${target}`)
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const data = { items: [], files, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at, data })
}
