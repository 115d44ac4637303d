import { expect } from 'vitest'
import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'
import { testWith } from '../support/needs.ts'
import { type ServedPage, servePage } from './served-page.ts'

const answer = (text: string) => ({ calls: [{ name: 'new_answer', input: { answer: text } }] })
const launch = { task: 'Fix the login test', context: 'no API change', agents: ['bob'] }

/** The first agent is the one the person talks to; the run is done by bob. */
const interactive = (require_approval: boolean, bob: ScriptedReply[] = []): Promise<ServedPage> =>
  servePage({
    team: {
      ada: [{ calls: [{ name: 'launch_run', input: launch }] }, { text: 'The orchestrator goes on.' }],
      bob: [...bob, answer('Waited for the token.'), { text: 'The token is waited for now.' }],
    },
    more: `orchestrator: { skip_voting: true, interactive_mode: { enabled: true, require_approval: ${require_approval} } }\n`,
  })

const dialog = ({ page }: ServedPage) => page.getByRole('region', { name: 'Launch a run?' })

testWith('chromium', 'SESS-4.1 a run to be launched is shown with its task, context and agents', async () => {
  const served = await interactive(true)
  await served.send('fix it with the team')
  await dialog(served).waitFor()
  const text = await dialog(served).textContent()
  for (const part of ['Fix the login test', 'no API change', 'bob', '(estimate)'])
    expect(text).toContain(part)
  expect(await dialog(served).getByRole('button').allTextContents()).toEqual([
    'Approve',
    'In the background',
    'Edit',
    'Cancel',
  ])
  expect(await served.page.getByRole('complementary', { name: 'Team' }).count()).toBe(0)
  await served.picture('run-approval')
})

testWith(
  'chromium',
  'SESS-4.2 Approve launches the run as shown, and its result is in the chat',
  async () => {
    const served = await interactive(true)
    await served.send('fix it with the team')
    await dialog(served).getByRole('button', { name: 'Approve' }).click()
    await served.page.getByText('The orchestrator goes on.').first().waitFor()
    expect(await dialog(served).count()).toBe(0)
    const panel = served.page.getByRole('complementary', { name: 'Team' })
    expect(await panel.locator('.agent').allTextContents()).toHaveLength(1)
    expect(await panel.textContent()).toContain('complete')
    expect(await served.page.getByText('run complete').count()).toBe(1)
    const result = served.card('ToolResultCard').filter({ hasText: 'launch_run' })
    await result.getByRole('button').first().click()
    expect(await result.textContent()).toContain('The token is waited for now.')
    await served.picture('run-approved')
  },
)

testWith('chromium', 'SESS-4.2 Edit launches what the person made of it', async () => {
  const served = await interactive(true)
  await served.send('fix it with the team')
  await dialog(served).getByRole('button', { name: 'Edit' }).click()
  const form = served.page.getByRole('form', { name: 'Change the run' })
  await form.getByLabel('Task').fill('Fix the logout test')
  await served.picture('run-edit')
  await form.getByRole('button', { name: 'Launch this' }).click()
  await served.page.getByText('The orchestrator goes on.').first().waitFor()
  await served.page.getByRole('tab', { name: /bob/ }).click()
  const asked = await served.card('MessageCard').first().textContent()
  expect(asked).toContain('Fix the logout test')
  expect(asked).not.toContain('Fix the login test')
})

testWith('chromium', 'SESS-4.3 Cancel launches nothing, and the agent is told', async () => {
  const served = await interactive(true)
  await served.send('fix it with the team')
  await dialog(served).getByRole('button', { name: 'Cancel' }).click()
  await served.page.getByText('The orchestrator goes on.').first().waitFor()
  expect(await served.page.getByRole('complementary', { name: 'Team' }).count()).toBe(0)
  const result = served.card('ToolResultCard').filter({ hasText: 'launch_run' })
  await result.getByRole('button').first().click()
  expect(await result.textContent()).toMatch(/cancel/i)
})

testWith('chromium', 'SESS-4.4 without require_approval the run starts at once', async () => {
  const served = await interactive(false)
  await served.send('fix it with the team')
  await served.page.getByText('The orchestrator goes on.').first().waitFor()
  expect(await served.page.getByText('run complete').count()).toBe(1)
  const shown = await served.page.locator('.transcript').textContent()
  expect(shown).not.toContain('Launch a run?')
})

testWith('chromium', 'a run in the background is listed while it works, and told when it ends', async () => {
  const served = await interactive(true, [
    { calls: [{ name: 'list_directory', input: { path: '.' } }], delay_ms: 3_000 },
  ])
  await served.send('fix it with the team')
  await dialog(served).getByRole('button', { name: 'In the background' }).click()
  const listed = served.page.getByRole('list', { name: 'In the background' })
  await listed.getByText('Fix the login test').waitFor()
  await served.page.getByText('The orchestrator goes on.').first().waitFor()
  const news = served.page.getByRole('status', { name: 'News' })
  await news.getByText('is done').waitFor()
  expect(await news.textContent()).toContain('Fix the login test')
  expect(await listed.count()).toBe(0)
  await news.getByRole('button', { name: /^Put away/ }).click()
  expect(await news.getByText('is done').count()).toBe(0)

  const said = () => served.page.locator('.row').allTextContents()
  await served.page.getByText('run complete').waitFor()
  const before = await said()
  await served.page.reload()
  await served.page.getByText('run complete').waitFor()
  expect(await said()).toEqual(before)
})
