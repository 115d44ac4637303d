import { expect } from 'vitest'
import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'
import { testWith } from '../support/needs.ts'
import { servePage } from './served-page.ts'

const team = { ann: [{ text: 'Ann knows.' }], bob: [{ text: 'Bob knows.' }] }

testWith('chromium', 'MODE-2.1 the mode bar is above the input, in the order of the terminal', async () => {
  const { page } = await servePage({ team })
  const bar = page.getByRole('toolbar', { name: 'Modes' })
  expect(await bar.getByRole('button').allTextContents()).toEqual(['Act', 'Multi', 'Refine on'])
  const [above, below] = await Promise.all([bar.boundingBox(), page.getByLabel('Message').boundingBox()])
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
  await bar.getByRole('button', { name: 'Refine on' }).click()
  expect(await bar.getByRole('button').allTextContents()).toEqual(['Act', 'Multi', 'Refine off'])
})

testWith('chromium', 'MODE-2.2 the toggles are disabled while agents work', async () => {
  const served = await servePage({ replies: [{ text: 'late', delay_ms: 60_000 }] })
  const bar = served.page.getByRole('toolbar', { name: 'Modes' })
  const enabled = () => bar.locator('.toggle:enabled').count()
  expect(await enabled()).toBeGreaterThan(0)
  await served.send('take your time')
  await served.page.getByText('locked while agents work').waitFor()
  expect(await enabled()).toBe(0)
  await served.button('Interrupt').click()
  await served.page.getByText('locked while agents work').waitFor({ state: 'detached' })
  expect(await enabled()).toBeGreaterThan(0)
})

testWith('chromium', 'MODE-4.1 in single mode one agent is active and the other tabs are grey', async () => {
  const { page, ...served } = await singleMode()
  const tabs = page.getByRole('tab')
  expect(await tabs.allTextContents()).toEqual(['1 ann', '2 bob'])
  expect(await page.getByRole('tab', { selected: true }).allTextContents()).toEqual(['1 ann'])
  expect(await page.locator('.tab.greyed').allTextContents()).toEqual(['2 bob'])
  await served.picture('single-mode')
})

testWith('chromium', 'MODE-4.2 a tab chooses the agent that answers', async () => {
  const { page, send } = await singleMode()
  await page.getByRole('tab', { name: '2 bob' }).click()
  await page.locator('.tab.greyed', { hasText: 'ann' }).waitFor()
  expect(await page.getByRole('tab', { selected: true }).allTextContents()).toEqual(['2 bob'])
  await send('who knows?')
  await page.getByText('Bob knows.').first().waitFor()
  expect(await page.getByText('Ann knows.').count()).toBe(0)
})

testWith('chromium', 'MODE-4.3 the other agent goes on from the whole conversation', async () => {
  const { page, send } = await singleMode({
    ann: [{ text: 'Ann was first.' }, { text: 'unused' }],
    // A script counts the replies of the conversation it is shown.
    bob: [{ text: 'Bob sees nothing.' }, { text: 'Bob sees what Ann said.' }],
  })
  await send('first')
  await page.getByText('Ann was first.').first().waitFor()
  await page.getByRole('tab', { name: '2 bob' }).click()
  await page.locator('.tab.greyed', { hasText: 'ann' }).waitFor()
  await send('second')
  await page.getByText('Bob sees what Ann said.').first().waitFor()
  expect(await page.getByText('Ann was first.').count()).toBeGreaterThan(0)
})

async function singleMode(agents: Record<string, ScriptedReply[]> = team) {
  const served = await servePage({ team: agents })
  await served.button('Multi').click()
  await served.button('Single').waitFor()
  return { page: served.page, send: served.send.bind(served), picture: served.picture.bind(served) }
}
