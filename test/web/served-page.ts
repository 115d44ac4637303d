import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'
import { Program, type Running } from '../support/program.ts'
import { team as configureTeam } from '../support/team-config.ts'

export interface ServeOptions {
  files?: Record<string, string>
  /** What the one agent `a` replies; the built-in model without it. */
  replies?: ScriptedReply[]
  /** Several agents by id. */
  team?: Record<string, ScriptedReply[]>
  /** Below the agents of the config. */
  more?: string
  args?: string[]
  env?: Record<string, string>
  context?: BrowserContextOptions
}

/** A real server of the built program, and a real browser on its page. */
export class ServedPage {
  readonly program: Program
  readonly page: Page
  readonly url: string
  readonly running: Running
  /** Addresses the page asked for that are not the server's. */
  readonly strangers: string[]
  /** What the browser complained about. */
  readonly complaints: string[]

  constructor(parts: Pick<ServedPage, 'program' | 'page' | 'url' | 'running' | 'strangers' | 'complaints'>) {
    this.program = parts.program
    this.page = parts.page
    this.url = parts.url
    this.running = parts.running
    this.strangers = parts.strangers
    this.complaints = parts.complaints
  }

  async send(text: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Message' }).fill(text)
    // A chat that is still being opened takes nothing.
    await this.page.locator('.composer button[type=submit]:enabled').waitFor()
    await this.page.keyboard.press('Enter')
  }

  card(name: string) {
    return this.page.locator(`[data-card="${name}"]`)
  }

  button(name: string | RegExp) {
    return this.page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
  }

  /** A picture to look at, where somebody wants some: `CONCLAVE_SCREENSHOTS=folder`. */
  async picture(name: string): Promise<void> {
    const folder = process.env['CONCLAVE_SCREENSHOTS']
    if (!folder) return
    mkdirSync(folder, { recursive: true })
    await this.page.screenshot({ path: join(folder, `${name}.png`) })
  }
}

export async function servePage(options: ServeOptions = {}): Promise<ServedPage> {
  const program = new Program(options.files)
  const { running, url } = await startServer(program, options)
  return openPage(program, running, url, options.context)
}

/** Starts `conclave serve`; its address holds the token. */
export async function startServer(
  program: Program,
  options: ServeOptions,
): Promise<{ running: Running; url: string }> {
  if (options.team) configureTeam(program, options.team, options.more)
  const model = options.replies ? [program.replies(...options.replies)] : []
  const running = program.start(['serve', ...model, ...(options.args ?? [])], { env: options.env })
  await Promise.race([running.until(() => running.stdout.includes('\n')), running.ended])
  const url = running.stdout.trim()
  if (!url.startsWith('http')) throw new Error(`the server did not start: ${running.stderr}`)
  return { running, url }
}

export async function openPage(
  program: Program,
  running: Running,
  url: string,
  contextOptions: BrowserContextOptions = {},
): Promise<ServedPage> {
  const context = await (
    await sharedBrowser()
  ).newContext({
    viewport: { width: 1280, height: 800 },
    ...contextOptions,
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const { origin } = new URL(url)
  const strangers: string[] = []
  const complaints: string[] = []
  context.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) strangers.push(request.url())
  })
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(url)
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  return new ServedPage({ program, page, url, running, strangers, complaints })
}

let browser: Promise<Browser> | undefined

/** One browser for all files of a worker, with which it ends; each test has a profile of its own. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  return browser
}
