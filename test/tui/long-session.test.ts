import { expect, test } from 'vitest'
import { emptyChatView, foldAll } from '../../src/view/chat-view.ts'
import { itemCount } from '../../src/view/transcript.ts'
import { openLongSession } from '../support/long-session.ts'
import { temporaryFolder } from '../support/workbench.ts'

const TURNS = 110
const AGENTS = 4

test('a long session keeps its end, what it cost and the work of its team', async () => {
  const { app, client, ask, askTeam, close } = await openLongSession(temporaryFolder(), AGENTS)
  await askTeam('What is here?')
  expect(app.view.agents).toHaveLength(AGENTS)
  const { run } = app.view
  let most = 0
  for (let turn = 0; turn < TURNS; turn++) {
    await ask(`What is here, number ${turn}?`)
    most = Math.max(most, itemCount(app.view.transcript))
  }

  // Neither the messages nor the steps of all turns are there, but all of them are counted.
  expect(app.session?.unread_log).toBeGreaterThan(0)
  expect(itemCount(app.view.transcript)).toBeLessThan(most)
  const feed = await client.open(app.view.chat_id, { exchanges: Infinity })
  expect(app.view.usage.model_calls).toBe(foldAll(emptyChatView, feed.first).usage.model_calls)
  feed.close()
  expect(app.view.run?.run_id).toBe(run?.run_id)
  app.dispatch({ type: 'run_command', name: 'compare', rest: '' })
  while (app.ui.modal?.kind !== 'compare') await new Promise((resolve) => setImmediate(resolve))
  expect(app.ui.modal.candidates).toHaveLength(AGENTS)
  await close()
}, 60_000)
