// 20,000 tokens streamed to the screen: the CPU time of the terminal UI beside that of bare pi-tui with one Markdown
// component for each reply. Both draw a frame after every four tokens (30 a second for 120 tokens a second).
// Run: sh scripts/node.sh bench/tui-stream.ts
import { Markdown, TuiMainScreen } from '@earendil-works/pi-tui'
import type { Roster } from '../src/client/client.ts'
import type { TurnId } from '../src/schema/ids.ts'
import { Feed } from '../test/support/feed.ts'
import { MemoryTerminal, openScreen } from '../test/support/screen.ts'

const TOKENS = 20_000
const FRAME_TOKENS = 4

const settings = { permission: 'auto', max_iterations: 9, reflect: 'never' } as const
const roster: Roster = {
  version: '0',
  folder: '/',
  agents: [{ id: 'a', model: 'bench' }],
  interactive: false,
  settings,
}
const plain = (text: string): string => text
const bareTheme = Object.fromEntries(
  [
    ...['heading', 'link', 'linkUrl', 'code', 'codeBlock', 'codeBlockBorder', 'quote', 'quoteBorder', 'hr'],
    ...['listBullet', 'bold', 'italic', 'strikethrough', 'underline'],
  ].map((name) => [name, plain]),
) as unknown as ConstructorParameters<typeof Markdown>[3]

async function cpuOf(run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Prose, lists and code, about four characters a token. */
function* tokens(length: number): Generator<string> {
  const text =
    'The function reads a file and **returns** its lines. It does so `lazily`, which keeps memory flat.\n\n' +
    '- first it opens the file\n- then it reads a piece\n- at last it closes the file\n\n' +
    '```ts\nexport function lines(path: string): string[] {\n  return readFileSync(path, "utf8").split("\\n")\n}\n```\n\n'
  for (let token = 0; token < length; token++) {
    const at = (token * 4) % text.length
    yield text.slice(at, at + 4)
  }
}

async function streamBare(length: number): Promise<void> {
  const tui = new TuiMainScreen(new MemoryTerminal(120, 40), true)
  tui.start()
  for (let reply = 0; reply < TOKENS / length; reply++) {
    const markdown = new Markdown('', 1, 0, bareTheme)
    tui.addChild(markdown)
    let said = ''
    let count = 0
    for (const token of tokens(length)) {
      said += token
      if (++count % FRAME_TOKENS !== 0) continue
      markdown.setText(said)
      tui.renderNow()
    }
  }
  tui.stop()
}

/** The whole way: envelopes, the fold, the scene, the frame. */
async function streamOurs(length: number): Promise<void> {
  const feed = new Feed()
  const { app } = await openScreen({ client: feed.client, roster, folder: '/' })
  await app.session?.open(feed.chat)
  for (let reply = 0; reply < TOKENS / length; reply++) {
    const turn_id: TurnId = `turn_${String(reply).padStart(5, '0')}`
    await feed.store(feed.chat, { type: 'turn.opened', turn_id, agent_id: 'a', settings })
    let said = ''
    let count = 0
    for (const text of tokens(length)) {
      said += text
      await feed.live(turn_id, { type: 'text.delta', agent_id: 'a', text })
      if (++count % FRAME_TOKENS !== 0) continue
      app.refresh()
      app.tui.renderNow()
    }
    await feed.say(turn_id, said)
    await feed.store(feed.chat, { type: 'turn.closed', turn_id })
    app.refresh()
    app.tui.renderNow()
  }
  app.stop()
}

for (const length of [500, 2_000]) {
  const ratios: number[] = []
  const spent = { bare: Infinity, ours: Infinity }
  for (let round = 0; round < 3; round++) {
    const bare = await cpuOf(() => streamBare(length))
    const ours = await cpuOf(() => streamOurs(length))
    if (round > 0) ratios.push(ours / bare)
    spent.bare = Math.min(spent.bare, bare)
    spent.ours = Math.min(spent.ours, ours)
  }
  const ratio = Math.min(...ratios).toFixed(2)
  process.stdout.write(
    `${`replies of ${length} tokens`.padEnd(26)} pi-tui ${spent.bare.toFixed(0)} ms CPU, conclave ${spent.ours.toFixed(0)} ms, ${ratio}×\n`,
  )
}
process.exit(0)
