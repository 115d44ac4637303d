import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { testWith } from '../support/needs.ts'
import { create, planFor, proposes } from '../support/plans.ts'
import { answers, votesFor } from '../support/team-bench.ts'
import { faults } from './axe.ts'
import { type ServedPage, servePage } from './served-page.ts'

const looks = [
  { name: 'light', context: {} },
  { name: 'dark', context: { colorScheme: 'dark' } },
] as const

async function expectNoFault({ page }: ServedPage, state: string): Promise<void> {
  expect({ state, faults: await faults(page) }).toEqual({ state, faults: [] })
}

for (const { name, context } of looks) {
  testWith(
    'chromium',
    `axe finds no serious fault while a team works and is overridden: ${name}`,
    async () => {
      const served = await servePage({
        team: {
          ada: [
            { calls: [create('a.txt', 'one\n')] },
            answers('A **file**.'),
            votesFor('file'),
            { text: 'x' },
          ],
          bob: [answers('No file.'), votesFor('A **file**'), { text: 'y' }],
        },
        more: `orchestrator:
  defer_voting_until_all_answered: true
  evidence: [{ name: tests, command: test -f a.txt }]\n`,
        context: { ...context },
      })
      const { page } = served
      await served.send('make it safe')
      await page.getByRole('region', { name: 'The vote is over' }).waitFor()
      await expectNoFault(served, 'after the vote')
      await page.keyboard.press('Control+o')
      await page.getByRole('dialog', { name: 'Override the winner' }).waitFor()
      await expectNoFault(served, 'override')
      await served.button('Diff of agent1.1').click()
      await page.locator('.diff-side.added').first().waitFor()
      await expectNoFault(served, 'candidate')
      await page.keyboard.press('Escape')
      // The chosen radio has the focus again, and Enter presents.
      await page.getByRole('radio', { name: /ada/ }).focus()
      await page.keyboard.press('Enter')
      await page.getByText('run complete').waitFor()
      await page.getByRole('tab', { name: /ada/ }).click()
      await expectNoFault(served, 'tab of an agent')
    },
  )

  testWith('chromium', `axe finds no serious fault in plans, questions and dialogs: ${name}`, async () => {
    const question = {
      type: 'question',
      question: 'Drop the table?',
      context: 'It cannot be undone.',
      severity: 'critical',
      options: [{ label: 'Drop it', value: 'd' }],
    }
    const served = await servePage({
      files: { 'old.txt': 'old\n' },
      replies: [
        proposes(planFor('Tidy up', 'a.txt', 'b.txt')),
        { calls: [{ name: 'delete_file', input: { path: 'old.txt' } }] },
        { calls: [{ name: 'shell', input: { command: 'seq 1 4000' } }] },
        { text: JSON.stringify(question) },
        { text: 'Done.' },
        { text: 'Late.', delay_ms: 60_000 },
      ],
      context: { ...context },
    })
    const { page } = served
    mkdirSync(join(served.program.folder, '.conclave'), { recursive: true })
    writeFileSync(
      join(served.program.folder, '.conclave/CONTEXT.md'),
      '# Shop\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
    )
    await expectNoFault(served, 'welcome')
    await served.button('Act').click()
    await served.send('tidy up')
    await served.button('Comment on step 1').click()
    await served.button('Edit step 2').click()
    await expectNoFault(served, 'plan being edited')
    await served.button('Execute Plan').click()
    await served.button('Yes, once').waitFor()
    await served.button('No, because …').click()
    await expectNoFault(served, 'approval')
    await served.button('Yes, once').click()
    await page.getByRole('button', { name: /^Drop it/ }).waitFor()
    await served.card('ToolResultCard').filter({ hasText: 'seq' }).getByRole('button').first().click()
    await expectNoFault(served, 'critical question and a result')
    await page.getByRole('button', { name: /^Drop it/ }).click()
    await page.getByText('Done.').first().waitFor()
    await served.button('Settings').click()
    await page.getByRole('dialog', { name: 'Settings' }).waitFor()
    await expectNoFault(served, 'settings')
    await page.keyboard.press('Escape')
    await served.button('files of project').click()
    await page.getByRole('button', { name: /CONTEXT\.md/ }).click()
    await page.getByRole('heading', { name: 'Shop' }).waitFor()
    await expectNoFault(served, 'workspace')
    await page.keyboard.press('Escape')
    await page.getByLabel('Search all chats').fill('tidy')
    await page.getByRole('navigation').getByText('tidy up').first().waitFor()
    await expectNoFault(served, 'search')
    await served.send('and now?')
    await served.button('Stop and plan …').click()
    await page.getByRole('dialog').waitFor()
    await expectNoFault(served, 'confirmation')
  })
}

testWith('chromium', 'axe finds no serious fault in a run to approve, sub-agents and news', async () => {
  const launch = { task: 'Fix the login test', context: 'no API change', agents: ['bob', 'cy'] }
  const served = await servePage({
    files: { 'deep.txt': 'treasure\n' },
    team: {
      ada: [
        { calls: [{ name: 'explore', input: { question: 'Where is it?' } }] },
        { calls: [{ name: 'launch_run', input: launch }] },
        { text: 'Over.', delay_ms: 2_000 },
      ],
      bob: [answers('Waited.'), { text: 'x' }],
      cy: [answers('Waited, too.'), { text: 'y' }],
    },
    more: 'orchestrator: { skip_voting: true, interactive_mode: { enabled: true } }\n',
  })
  const { page } = served
  await served.send('find it, then fix it')
  await served.button('Edit').waitFor()
  await expectNoFault(served, 'run approval')
  await served.button('Edit').click()
  await page.getByRole('form', { name: 'Change the run' }).waitFor()
  await expectNoFault(served, 'run being changed')
  const explored = served.card('ToolResultCard').filter({ hasText: 'explore' })
  await explored.getByRole('button').first().click()
  await explored.getByRole('button', { name: /^Steps/ }).click()
  await page.getByRole('dialog', { name: 'Steps of a sub-agent' }).waitFor()
  await expectNoFault(served, 'sub-agent')
  await page.keyboard.press('Escape')
  await served.button('Launch this').click()
  await served.button('New chat').click()
  await page.getByRole('status', { name: 'News' }).getByText('is done').waitFor()
  await expectNoFault(served, 'news')
})

testWith('chromium', 'axe finds no serious fault on a phone, with its drawers open', async () => {
  const served = await servePage({
    team: { ada: [answers('Ada.'), { text: 'x' }], bob: [answers('Bob.'), { text: 'y' }] },
    more: 'orchestrator: { skip_voting: true }\n',
    context: { viewport: { width: 390, height: 844 } },
  })
  const { page } = served
  await served.send('make it safe')
  await page.getByText('run complete').waitFor()
  await expectNoFault(served, 'chat')
  await served.picture('phone-chat')
  await served.button('Team').click()
  await page.getByRole('complementary', { name: 'Team' }).waitFor()
  await expectNoFault(served, 'team drawer')
  await served.picture('phone-team')
  await served.button('Close the team').click()
  await served.button('Chats').click()
  await page.getByRole('navigation', { name: 'Chats' }).waitFor()
  await expectNoFault(served, 'chats drawer')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
})
