import { expect } from 'vitest'
import { testWith } from '../support/needs.ts'
import { planFor, proposes } from '../support/plans.ts'
import { faults } from './axe.ts'
import { servePage } from './served-page.ts'

const looks = [
  { name: 'desktop', context: {} },
  { name: 'dark', context: { colorScheme: 'dark' } },
  { name: 'phone', context: { viewport: { width: 390, height: 780 } } },
] as const

for (const { name, context } of looks) {
  testWith('chromium', `axe finds no serious fault: ${name}`, async () => {
    const served = await servePage({
      replies: [
        proposes(planFor('Tidy up', 'a.txt')),
        { text: '# Done\n\n```ts\nconst a = 1 // x\n```\n\n[docs](https://docs.example)' },
      ],
      context: { ...context },
    })
    expect(await faults(served.page)).toEqual([])
    await served.button('Act').click()
    await served.send('tidy up')
    await served.button('Execute Plan').waitFor()
    expect(await faults(served.page)).toEqual([])
    await served.picture(`${name}-plan`)
    await served.button('Execute Plan').click()
    await served.page.getByText('Done', { exact: true }).waitFor()
    expect(await faults(served.page)).toEqual([])
    await served.picture(`${name}-done`)
    const width = await served.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(width).toBeLessThanOrEqual(0)
  })
}

testWith('chromium', 'everything can be reached with the keyboard', async () => {
  const served = await servePage({ replies: [{ text: 'Hello.' }] })
  const { page } = served
  await served.send('hi')
  await page.getByText('Hello.').first().waitFor()
  const reached = new Set<string>()
  for (let step = 0; step < 25; step++) {
    await page.keyboard.press('Tab')
    reached.add(
      await page.evaluate(() => {
        const { activeElement: node } = document
        return (
          node?.getAttribute('aria-label') ?? node?.getAttribute('placeholder') ?? node?.textContent ?? ''
        )
      }),
    )
  }
  for (const wanted of ['New chat', 'Search', 'Settings', 'Transcript', 'Act', 'Message', 'Act mode']) {
    expect([...reached], wanted).toContain(wanted)
  }
})

testWith('chromium', 'chats are listed by project and found by their words', async () => {
  const served = await servePage({ replies: [{ text: 'The zebra is striped.' }] })
  const { page } = served
  await served.send('about animals')
  await page.getByText('The zebra is striped.').first().waitFor()
  await served.button('New chat').click()
  await page.getByRole('heading', { name: 'What should be done?' }).waitFor()
  const list = page.getByRole('navigation', { name: 'Chats' })
  await list
    .getByRole('region', { name: 'Project project' })
    .getByRole('button', { name: /about animals/ })
    .waitFor()
  await page.getByLabel('Search all chats').fill('zebra')
  await list.getByText('striped').waitFor()
  await list.getByRole('button', { name: /about animals/ }).click()
  await page.getByText('The zebra is striped.').first().waitFor()
  expect(await page.title()).toBe('about animals · Conclave')
})

testWith('chromium', 'a mistake in the config is shown at its line', async () => {
  const served = await servePage({ team: { a: [{ text: 'x' }] } })
  const { page, program } = served
  program.configure('agents:\n  - id: a\n    backend: { type: antropic, model: m }\n')
  await served.button('Settings').click()
  const wrong = page.getByRole('dialog', { name: 'Settings' }).locator('li.wrong')
  await wrong.waitFor()
  expect(await wrong.textContent()).toContain('3:')
  expect(await wrong.textContent()).toContain('anthropic')
  await served.picture('settings')
})

testWith('chromium', 'two pages watch one chat: the first answer wins and the other sees it', async () => {
  const question = {
    type: 'question',
    question: 'Left or right?',
    severity: 'major',
    options: [
      { label: 'Left', value: 'l' },
      { label: 'Right', value: 'r' },
    ],
  }
  const served = await servePage({ replies: [{ text: JSON.stringify(question) }, { text: 'Turned.' }] })
  await served.send('turn')
  await served.button('Left').waitFor()
  const other = await served.page.context().newPage()
  await other.goto(served.page.url())
  await other.getByRole('button', { name: 'Right', exact: true }).click()
  await served.page.getByText('Turned.').first().waitFor()
  expect(await served.button('Left').count()).toBe(0)
  expect(await served.card('QuestionMessageCard').textContent()).toContain('Right answered by web')
})
