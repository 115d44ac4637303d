import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { itemCount } from '../../src/view/transcript.ts'
import { openLongSession } from '../support/long-session.ts'
import { temporaryFolder } from '../support/workbench.ts'

const TURNS = 130
const AGENTS = 24

test('a long session keeps its end and reads the rest again when it is scrolled to', async () => {
  const { app, ask, askTeam, close } = await openLongSession(temporaryFolder(), AGENTS)
  await askTeam('What is here?')
  expect(app.view.agents).toHaveLength(AGENTS)
  for (let turn = 0; turn < TURNS; turn++) await ask(`What is here, number ${turn}?`)

  // Every message is there; how each answer came about only of the newest.
  const { unread, usage } = app.view
  expect(unread).toBeGreaterThan(60)
  const items = itemCount(app.view.transcript)
  expect(items).toBeGreaterThan(2 * TURNS)
  expect(items).toBeLessThan(6 * TURNS)
  expect(usage.model_calls ?? 0).toBeGreaterThanOrEqual(2 * TURNS)

  app.dispatch({ type: 'scroll_to', end: 'top' }, { type: 'scroll', lines: -1 })
  while (app.view.unread === unread) await sleep(5)
  expect(itemCount(app.view.transcript)).toBeGreaterThan(items)
  expect(app.view.usage).toEqual(usage)
  await close()
}, 120_000)
