// How fast the page is on this machine: `sh scripts/node.sh test/web/measure.ts`. Prints figures, judges nothing.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Page, chromium } from 'playwright-core'
import { writeLongChat } from './long-chat.ts'

const base = mkdtempSync(join(tmpdir(), 'conclave-measure-'))
const home = join(base, 'home')
await writeLongChat({
  folder: base,
  journal: join(home, '.local/share/conclave/journal.db'),
  messages: 100_000,
})
const server = spawn(join(import.meta.dirname, '../../bin/conclave'), ['serve', '--model=rehearsal'], {
  cwd: base,
  env: { PATH: process.env['PATH'], HOME: home },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const url = await firstLine(server)
  await page.goto(url)
  for (let round = 0; round < 5; round++) {
    await page.reload()
    await page.getByRole('textbox', { name: 'Message' }).waitFor()
    console.log(`first paint, ms: ${(await firstPaint(page)).toFixed(0)}`)
  }
  for (const what of ['opened for the first time', 'opened again']) {
    const took = await openLongChat(page)
    console.log(`100,000 messages, ${what}, ms to the newest message: ${took.toFixed(0)}`)
    await page.getByRole('toolbar', { name: 'Modes' }).waitFor()
    await page.getByRole('button', { name: 'New chat' }).click()
  }
  await openLongChat(page)
  const frames = await scrollFrames(page)
  const sorted = frames.toSorted((a, b) => a - b)
  const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1)
  console.log(`frames while scrolling, ms: median ${at(0.5)}, 95 % ${at(0.95)}, longest ${at(0.9999)}`)
  const all = performance.now()
  await page.getByRole('button', { name: /To the beginning/ }).click()
  await page.locator('.row[aria-posinset="1"]', { hasText: 'Message 1.' }).waitFor()
  console.log(`all of it, ms to the first message: ${(performance.now() - all).toFixed(0)}`)
} finally {
  await browser.close()
  server.kill()
  rmSync(base, { recursive: true, force: true })
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) =>
    child.stdout?.once('data', (bytes: Buffer) => resolve(String(bytes).trim())),
  )
}

/** From the click to the frame that shows the newest message, as the page's own clock says. */
function openLongChat(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const link = [...document.querySelectorAll<HTMLElement>('.chat-link')].find((each) =>
      each.textContent?.includes('A long chat'),
    )
    const began = performance.now()
    link?.click()
    const isThere = (): boolean =>
      [...document.querySelectorAll('.row')].some((row) => row.textContent?.includes('Message 100000.'))
    while (!isThere()) await new Promise(requestAnimationFrame)
    return performance.now() - began
  })
}

function firstPaint(page: Page): Promise<number> {
  return page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  )
}

/** Scrolls up by 300 px a frame, and measures how long each took. */
function scrollFrames(page: Page): Promise<number[]> {
  return page.locator('.scroller').evaluate(async (node) => {
    const frames: number[] = []
    let before = performance.now()
    for (let frame = 0; frame < 300; frame++) {
      node.scrollTop -= 300
      await new Promise(requestAnimationFrame)
      const now = performance.now()
      frames.push(now - before)
      before = now
    }
    return frames
  })
}
