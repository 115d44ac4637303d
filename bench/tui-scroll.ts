// A transcript of 100,000 lines: what a step of the wheel, a jump and a search cost, beside the same in one of 1,000 lines.
// Run: sh scripts/node.sh bench/tui-scroll.ts
import { loadavg } from 'node:os'
import type { Roster } from '../src/client/client.ts'
import type { TurnId } from '../src/schema/ids.ts'
import type { Action } from '../src/tui/state/action.ts'
import { Feed } from '../test/support/feed.ts'
import { openScreen } from '../test/support/screen.ts'

const LINES_EACH = 50

const settings = { permission: 'auto', max_iterations: 9, reflect: 'never' } as const
const agents = [{ id: 'a', model: 'bench' }]
const roster: Roster = { version: '0', folder: '/', agents, interactive: false, settings }

await measure(1_000)
await measure(100_000)
process.stdout.write(`load ${loadavg()[0]?.toFixed(1)}\n`)
process.exit(0)

async function measure(lines: number): Promise<void> {
  const feed = new Feed()
  const { app } = await openScreen({ client: feed.client, roster, folder: '/' })
  await app.session?.open(feed.chat)
  for (let reply = 0; reply < lines / LINES_EACH; reply++) {
    const turn_id: TurnId = `turn_${String(reply).padStart(6, '0')}`
    const text = Array.from({ length: LINES_EACH / 2 }, (_, line) => `Line ${line} of reply ${reply}.`)
    await feed.say(turn_id, text.join('\n\n'))
  }
  await new Promise((resolve) => setTimeout(resolve, 100))
  const act = (...actions: Action[]) => {
    app.dispatch(...actions)
    app.refresh()
    app.tui.renderNow()
  }
  const cpu = async (times: number, what: () => unknown): Promise<string> => {
    await what()
    const before = process.cpuUsage()
    for (let time = 0; time < times; time++) await what()
    const { user, system } = process.cpuUsage(before)
    return `${((user + system) / 1000 / times).toFixed(2)} ms`
  }
  const wheel = (direction: -1 | 1) => () => act({ type: 'scroll', lines: 3 * direction })
  act({ type: 'scroll_to', end: 'bottom' })
  const atEnd = await cpu(200, wheel(-1))
  act({ type: 'scroll_to_item', place: Math.floor(lines / LINES_EACH / 2) })
  const inMiddle = await cpu(200, wheel(-1))
  const top = await cpu(50, () =>
    act({ type: 'scroll_to', end: 'top' }, { type: 'scroll_to', end: 'bottom' }),
  )
  const search = async (query: string) => {
    act({ type: 'scroll_to', end: 'bottom' }, { type: 'search', query: '' })
    act({ type: 'find', query, direction: 0 })
    await new Promise((resolve) => setImmediate(resolve))
    app.tui.renderNow()
  }
  const found = await cpu(10, () => search('of reply 0.'))
  const missed = await cpu(10, () => search('no such words'))
  const typing = await cpu(100, () => {
    app.editor.handleInput('x')
    act()
  })
  process.stdout.write(
    `${String(lines).padStart(7)} lines: wheel at the end ${atEnd}, in the middle ${inMiddle}, top and back ${top}, ` +
      `search to the very top ${found}, in vain ${missed}, a key ${typing}\n`,
  )
  app.stop()
}
