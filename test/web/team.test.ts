import { expect } from 'vitest'
import { testWith } from '../support/needs.ts'
import { create } from '../support/plans.ts'
import { answers, votesFor } from '../support/team-bench.ts'
import { type ServedPage, servePage } from './served-page.ts'

const usage = { input_tokens: 1_000, output_tokens: 100, cost_usd: 0.05 }

/** Ada answers with a file, the others with words; two votes for her, one for bob. */
const team = {
  ada: [
    { calls: [create('queue.txt', 'one\ntwo\n')], usage },
    answers('Use a **queue**.'),
    votesFor('Use a lock.'),
    { text: 'The queue is there.' },
  ],
  bob: [answers('Use a lock.'), votesFor('queue', 'it is tested'), { text: 'The lock is better.' }],
  cy: [answers('Do nothing.'), votesFor('queue'), { text: 'Nothing was done.' }],
}

const more = `orchestrator:
  defer_voting_until_all_answered: true
  evidence: [{ name: tests, command: test -f queue.txt }]
  budget: { max_usd: 2 }
`

testWith(
  'chromium',
  'MODE-9.1 after the vote the page says how to override the winner and how to go on',
  async () => {
    const served = await afterTheVote()
    const { page } = served
    await page.getByText('Press Ctrl+O to override, Enter to continue').waitFor()
    const card = page.getByRole('region', { name: 'The vote is over' })
    expect(await card.textContent()).toContain('ada wins the vote')
    await page.keyboard.press('Enter')
    await page.getByText('run complete').waitFor()
    expect(await page.getByText('ada presents (winner_present)').count()).toBeGreaterThan(0)
    await page.getByText('The queue is there.').first().waitFor()
    expect(await page.getByText('Files written to context paths:').count()).toBe(1)
    expect(served.complaints).toEqual([])
  },
)

testWith('chromium', "MODE-9.2 Ctrl+O shows all agents' recent answers with previews", async () => {
  const served = await afterTheVote()
  await served.page.keyboard.press('Control+o')
  const dialog = served.page.getByRole('dialog', { name: 'Override the winner' })
  const texts = await dialog.locator('.candidate').allTextContents()
  expect(texts).toHaveLength(3)
  const of = (name: string) => texts.find((text) => text.startsWith(name)) ?? ''
  for (const part of ['winner', '2 votes', 'queue', 'tests passed', '+2 −0'])
    expect(of('ada')).toContain(part)
  for (const part of ['Use a lock.', 'tests failed']) expect(of('bob')).toContain(part)
  expect(of('cy')).toContain('0 votes')
  await served.picture('override')
})

testWith('chromium', 'MODE-9.3 the agent that is chosen presents', async () => {
  const served = await afterTheVote()
  const { page } = served
  await page.keyboard.press('Control+o')
  const dialog = page.getByRole('dialog', { name: 'Override the winner' })
  await dialog.getByRole('radio', { name: /bob/ }).check()
  await dialog.getByRole('button', { name: 'Present' }).click()
  await page.getByText('run complete').waitFor()
  expect(await page.getByText('bob presents instead, chosen by web').count()).toBe(1)
  expect(await page.getByText('bob presents (winner_present)').count()).toBeGreaterThan(0)
  await page.getByText('The lock is better.').first().waitFor()
  expect(await page.getByText('The queue is there.').count()).toBe(0)
  expect(await agentOf(served, 'bob').textContent()).toContain('presents')
})

testWith(
  'chromium',
  'votes are a chart, evidence a mark, the course a timeline, and cost is told',
  async () => {
    const served = await afterTheVote()
    const panel = panelOf(served)
    const lines = await panel.getByRole('list', { name: 'Votes' }).getByRole('listitem').all()
    const votes = await Promise.all(
      lines.map(async (line) => ({
        name: await line.locator('.vote-name').textContent(),
        votes: await line.locator('.vote-count').getAttribute('aria-label'),
        part: await line.evaluate((node) => {
          const width = (part: string) => node.querySelector(part)?.getBoundingClientRect().width ?? 0
          return width('.vote-bar') / width('.vote-track')
        }),
        winner: await line.evaluate((node) => node.classList.contains('winner')),
      })),
    )
    // The vote is over as soon as it is decided, so bob's one vote may have come too late.
    const [ada, ...others] = votes.toSorted((a, b) => b.part - a.part)
    expect(ada).toEqual({ name: 'ada', votes: '2 votes', part: 1, winner: true })
    for (const { votes: words, part, winner } of others)
      expect([words, winner]).toEqual([part === 0 ? '0 votes' : part === 0.5 ? '1 vote' : 'too many', false])
    expect(await panel.getByText(/margin [12]/).count()).toBe(1)
    const first = agentOf(served, 'ada')
    expect(await first.locator('.proof.passed').textContent()).toContain('tests')
    expect(await agentOf(served, 'bob').locator('.proof.failed').count()).toBe(1)
    const timeline = await panel.locator('.timeline').textContent()
    expect(timeline).toContain('it is tested')
    expect(timeline).toMatch(/ada\s*answer agent1\.1/)
    // What was spent, of what may be spent.
    expect(await panel.textContent()).toMatch(/\$0\.05 of \$2\.00/)
    expect(await served.page.locator('.top').textContent()).toContain('$0.05 of $2.00')
    await served.picture('team-after-vote')
  },
)

testWith(
  'chromium',
  'a candidate opens as a diff, old and new side by side, also while one may override',
  async () => {
    const served = await afterTheVote()
    const { page } = served
    await panelOf(served)
      .getByRole('button', { name: /^agent1\.1/ })
      .click()
    const candidate = page.getByRole('dialog', { name: 'Answer agent1.1' })
    await candidate.locator('.diff-side.added').first().waitFor()
    const added = () => candidate.locator('.diff-side.added .diff-text').allTextContents()
    expect(await added()).toEqual(['one', 'two'])
    await page.keyboard.press('Escape')

    await page.keyboard.press('Control+o')
    const override = page.getByRole('dialog', { name: 'Override the winner' })
    await override.getByRole('button', { name: 'Diff of agent1.1' }).click()
    await candidate.locator('.diff-side.added').first().waitFor()
    expect(await added()).toEqual(['one', 'two'])
    await served.picture('candidate-diff')
    await page.keyboard.press('Escape')
    // Back where one chooses.
    await override.getByRole('radio', { name: /cy/ }).check()
    await override.getByRole('button', { name: 'Present' }).click()
    await page.getByText('Nothing was done.').first().waitFor()
  },
)

testWith('chromium', "an agent's tab shows what it did; words for it go to it alone", async () => {
  const slow = { calls: [create('a.txt')], delay_ms: 1_500 }
  const served = await servePage({
    team: { ada: [slow, answers('Ada.'), { text: 'x' }], bob: [answers('Bob.'), { text: 'y' }] },
    more: 'orchestrator: { skip_voting: true }\n',
  })
  const { page } = served
  await served.send('make it safe')
  await page.getByRole('tab', { name: /ada/ }).click()
  await page.getByPlaceholder('Guide the agent while it works').fill('mind the names')
  await page.keyboard.press('Enter')
  await page.getByText('to ada: mind the names').waitFor()
  await served.card('AnswerCard').filter({ hasText: 'Ada.' }).waitFor()
  expect(await served.card('AnswerCard').filter({ hasText: 'Bob.' }).count()).toBe(0)
  await page.getByRole('tab', { name: /bob/ }).click()
  await served.card('AnswerCard').filter({ hasText: 'Bob.' }).waitFor()
  expect(await page.getByText('mind the names').count()).toBe(0)
})

testWith(
  'chromium',
  'more than five written files are told by their number and where the list is',
  async () => {
    const files = Array.from({ length: 7 }, (_, index) => create(`file${index}.txt`))
    const served = await servePage({
      team: {
        ada: [{ calls: files }, answers('Seven files.'), { text: 'Written.' }],
        bob: [answers('No file.'), { text: 'None.' }],
      },
      more: 'orchestrator: { skip_voting: true }\n',
      args: ['--permission-mode=auto'],
    })
    await served.send('write seven files')
    const footer = served.card('WrittenFilesCard')
    await footer.waitFor()
    const text = await footer.textContent()
    expect(text).toContain('7 files written to context paths')
    expect(text).toContain('context_path_writes.txt')
    await served.picture('written-files')
  },
)

const agentOf = (served: ServedPage, id: string) =>
  panelOf(served)
    .locator('.agent')
    .filter({ has: served.page.locator('strong', { hasText: new RegExp(`^${id}$`) }) })

const panelOf = ({ page }: ServedPage) => page.getByRole('complementary', { name: 'Team' })

testWith('chromium', 'who is writing when the vote ends decides nothing with the next space', async () => {
  const served = await servePage({
    team: {
      ada: [answers('Ada.'), { text: 'Ada presents.' }],
      bob: [
        { ...answers('Bob.'), delay_ms: 3_000 },
        { ...votesFor('Ada'), delay_ms: 500 },
        { text: 'Bob presents.' },
      ],
    },
    more: 'orchestrator: { defer_voting_until_all_answered: true }\n',
  })
  const { page } = served
  await served.send('go')
  await page.getByText('locked while agents work').waitFor()
  await page.getByRole('tab', { name: /bob/ }).click()
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.pressSequentially('please take care')
  const vote = page.getByRole('region', { name: 'The vote is over' })
  await vote.waitFor()
  await page.keyboard.type(' of it')
  expect(await message.inputValue()).toBe('please take care of it')
  expect(await vote.count()).toBe(1)
  expect(await page.title()).toMatch(/^● /)
  await page.keyboard.press('Control+o')
  await page.getByRole('radio', { name: /ada/ }).focus()
  await page.keyboard.press('Enter')
  await page.locator('.team', { hasText: 'complete' }).waitFor()
  // Whoever answers with the keyboard can go on with it.
  expect(await message.evaluate((node) => node === document.activeElement)).toBe(true)
  expect(await page.title()).not.toContain('●')
})

testWith('chromium', 'what a candidate changed is still there to see when its run is over', async () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`)
  const input = { path: 'a b.txt', edits: [{ old_text: 'line 5\n', new_text: 'fifth\n' }] }
  const served = await servePage({
    files: { 'a b.txt': `${lines.join('\n')}\n` },
    team: {
      ada: [{ calls: [{ name: 'update_file', input }] }, answers('Ada.'), { text: 'Written.' }],
      bob: [{ calls: [create('bob.txt', 'new\n')] }, answers('Bob.'), { text: 'None.' }],
    },
    more: 'orchestrator: { skip_voting: true }\n',
  })
  const { page } = served
  await served.send('go')
  await page.getByText('run complete').waitFor()
  const dialog = page.getByRole('dialog')
  const sides = async (label: string): Promise<string[]> => {
    await page.locator('.team').getByRole('button', { name: label }).click()
    await dialog.locator('.diff-row').first().waitFor()
    const found = await dialog.locator('.diff-side:is(.removed, .added) .diff-text').allTextContents()
    await page.keyboard.press('Escape')
    return found
  }
  expect(await sides('agent1.1')).toEqual(['line 5', 'fifth'])
  expect(await sides('agent2.1')).toEqual(['new'])
  expect(served.complaints).toEqual([])
})

async function afterTheVote(): Promise<ServedPage> {
  const served = await servePage({ team, more })
  await served.send('make it safe')
  await served.page.getByRole('region', { name: 'The vote is over' }).waitFor()
  return served
}
