import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { testWith } from '../support/needs.ts'
import { planFor, proposes } from '../support/plans.ts'
import { servePage } from './served-page.ts'

const ask = (severity: string) => ({
  text: JSON.stringify({
    type: 'question',
    question: 'Should I also update the test files?',
    context: 'I noticed tests use old API',
    severity,
    options: [
      { label: 'Yes, update tests', value: 'update_tests', description: 'Update test files to match' },
      { label: 'No, skip tests', value: 'skip_tests' },
    ],
    default: 'skip_tests',
  }),
})

const remove = { calls: [{ name: 'delete_file', input: { path: 'old.txt' } }] }

testWith('chromium', 'CHAT-2.2 each type of message is drawn by its own card', async () => {
  const served = await servePage({
    files: { 'old.txt': 'old\n' },
    replies: [proposes(planFor('Tidy up', 'old.txt')), remove, ask('minor'), { text: 'Tidy now.' }],
  })
  const { page } = served
  await served.button('Act').click()
  await served.send('tidy up')
  await served.card('PlanMessageCard').waitFor()
  expect(await served.card('MessageCard').first().textContent()).toContain('tidy up')

  await served.button('Execute Plan').click()
  const approval = served
    .card('ToolCallCard')
    .filter({ has: page.getByRole('button', { name: 'Yes, once' }) })
  await approval.waitFor()
  expect(await approval.textContent()).toContain('old.txt')
  expect(existsSync(join(served.program.folder, 'old.txt'))).toBe(true)
  await served.picture('approval')
  await served.button('Yes, once').click()

  const result = served.card('ToolResultCard').filter({ hasText: 'delete_file' })
  await result.waitFor()
  const head = result.getByRole('button')
  expect(await head.getAttribute('aria-expanded')).toBe('false')
  expect(await result.locator('.tool-body').count()).toBe(0)
  await head.click()
  expect(await result.locator('.tool-body').count()).toBe(1)

  await served.card('QuestionMessageCard').first().waitFor()
  await served.button(/^Yes, update tests/).click()
  await page.getByText('Tidy now.').first().waitFor()
  expect(await served.card('MessageCard').filter({ hasText: 'Tidy now.' }).count()).toBe(1)
  expect(served.complaints).toEqual([])
})

testWith(
  'chromium',
  'PLAN-5.1 a question is a card; the choice goes back to the agent, which goes on',
  async () => {
    const served = await servePage({ replies: [ask('minor'), { text: 'Then I skip them.' }] })
    await served.send('use the new API')
    const card = served
      .card('QuestionMessageCard')
      .filter({ has: served.page.getByRole('group', { name: 'Answers' }) })
    await card.waitFor()
    expect(await card.textContent()).toContain('I noticed tests use old API')
    expect(await served.page.getByText('"type":"question"').count()).toBe(0)
    await served.picture('question-minor')
    await served.button(/^No, skip tests/).click()
    await served.page.getByText('Then I skip them.').first().waitFor()
    expect(await served.card('QuestionMessageCard').textContent()).toContain('No, skip tests answered by web')
  },
)

testWith('chromium', 'PLAN-5.1 other words are an answer, too', async () => {
  const served = await servePage({ replies: [ask('major'), { text: 'As you say.' }] })
  await served.send('use the new API')
  await served.page.getByLabel('Answer in other words').fill('only the login tests')
  await served.page.keyboard.press('Enter')
  await served.page.getByText('As you say.').first().waitFor()
  expect(await served.card('QuestionMessageCard').textContent()).toContain('only the login tests')
})

testWith('chromium', 'PLAN-5.2 severity decides how much a question stands out', async () => {
  const looks = new Map<string, string[]>()
  for (const severity of ['minor', 'major', 'critical']) {
    const served = await servePage({ replies: [ask(severity), { text: 'ok' }] })
    await served.send('use the new API')
    const card = served.page.locator('.dock [data-card="QuestionMessageCard"]')
    await card.waitFor()
    expect(await card.getAttribute('data-severity')).toBe(severity)
    expect(await card.getAttribute('role')).toBe(severity === 'critical' ? 'alert' : null)
    expect(await card.getByText('(default)').count()).toBe(severity === 'critical' ? 0 : 1)
    const style = await card.evaluate((node) => {
      const { borderLeftColor, borderTopWidth, backgroundColor } = getComputedStyle(node)
      return [borderLeftColor, borderTopWidth, backgroundColor]
    })
    looks.set(severity, style)
    await served.picture(`question-${severity}`)
  }
  expect(new Set([...looks.values()].map(([colour]) => colour)).size).toBe(3)
  const [red = '', width = ''] = looks.get('critical') ?? []
  const [r = 0, g = 0, b = 0] = red.match(/\d+/g)?.map(Number) ?? []
  expect(r).toBeGreaterThan(2 * Math.max(g, b))
  expect(width).toBe('2px')
})
