// Pictures of the page at work, for the README: `sh scripts/node.sh test/web/pictures.ts <folder>`. Three agents of the
// built-in planner work on a copy of the sample project.
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type Page, chromium } from 'playwright-core'

const [, , target = 'pictures'] = process.argv
const root = join(import.meta.dirname, '../..')
const task = 'Find all usages of function calcTotal and rename to orderTotal'
const base = mkdtempSync(join(tmpdir(), 'conclave-pictures-'))
const home = join(base, 'home')
const folder = join(base, 'shop')
mkdirSync(target, { recursive: true })
mkdirSync(join(home, '.config/conclave'), { recursive: true })
cpSync(join(root, 'samples/demo'), folder, { recursive: true })
const agents = ['ada', 'bob', 'cy'].map((id) => `  - { id: ${id}, backend: { type: rehearsal } }`).join('\n')
const evidence = 'orchestrator: { evidence: [{ name: tests, command: node --test }] }'
writeFileSync(join(home, '.config/conclave/config.yaml'), `agents:\n${agents}\n${evidence}\n`)

const server = spawn(join(root, 'bin/conclave'), ['serve', '--quiet'], {
  cwd: folder,
  env: { PATH: process.env['PATH'], HOME: home },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const url = await firstLine(server)
  await team(await open(browser, url, 'light'))
  await plan(await open(browser, url, 'dark'))
} finally {
  await browser.close()
  server.kill()
  rmSync(base, { recursive: true, force: true })
}

async function team(page: Page): Promise<void> {
  await send(page, task)
  await page.getByRole('region', { name: 'The vote is over' }).waitFor()
  await shoot(page, 'web-team')
  await page.keyboard.press('Control+o')
  await page
    .getByRole('button', { name: /^Diff of/ })
    .first()
    .click()
  await page.locator('.diff-side.added').first().waitFor()
  await shoot(page, 'web-diff')
}

async function plan(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Multi' }).click()
  await page.getByRole('button', { name: 'Act', exact: true }).click()
  await send(page, task)
  await page.getByRole('button', { name: 'Comment on step 2' }).click()
  await page.getByLabel('Comment on step 2').fill('keep the old name as an alias for one release')
  await shoot(page, 'web-plan')
}

async function open(browser: Browser, url: string, colorScheme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 750 }, colorScheme })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(url)
  return page
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.keyboard.press('Enter')
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(400)
  await page.screenshot({ path: join(target, `${name}.png`) })
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) =>
    child.stdout?.once('data', (bytes: Buffer) => resolve(String(bytes).trim())),
  )
}
