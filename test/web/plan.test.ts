import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { testWith } from '../support/needs.ts'
import { create, planFor, proposes } from '../support/plans.ts'
import { openPage, servePage, startServer } from './served-page.ts'

const plan = planFor('Add a greeting', 'hello.txt', 'bye.txt')
const files = { 'old.txt': 'old\n' }

testWith(
  'chromium',
  'PLAN-1.3 the badge shows the mode, explains it on hover, and changes with it',
  async () => {
    const { page, button } = await served()
    const badge = page.locator('.badge')
    const tip = page.getByRole('tooltip', { includeHidden: true })
    expect(await badge.getAttribute('data-mode')).toBe('Act')
    expect(await tip.isVisible()).toBe(false)
    await badge.hover()
    expect(await tip.isVisible()).toBe(true)
    expect(await tip.textContent()).toContain('carry out')
    const look = () =>
      badge.evaluate((node) => [getComputedStyle(node).color, getComputedStyle(node).borderStyle])
    const act = await look()

    await button('Act').click()
    await page.locator('.badge[data-mode="Plan"]').waitFor()
    const planned = await look()
    expect(planned[0]).not.toBe(act[0])
    expect(planned[1]).not.toBe(act[1])
    await badge.hover()
    expect(await tip.textContent()).toContain('nothing is changed')
  },
)

testWith(
  'chromium',
  'PLAN-2.1 "Execute Plan" switches to Act and starts; nothing starts without it',
  async () => {
    const { page, button, card, send, folder, picture } = await served({
      replies: [
        proposes(plan),
        { calls: [create('hello.txt'), create('bye.txt')] },
        { text: 'All steps are done.' },
        { text: 'You are welcome.' },
      ],
    })
    await button('Act').click()
    await send('add a greeting')
    await card('PlanMessageCard').waitFor()
    expect(await card('PlanMessageCard').textContent()).toContain('Add a greeting')
    await picture('plan-review')
    expect(existsSync(join(folder, 'hello.txt'))).toBe(false)
    expect(await page.locator('.badge').getAttribute('data-mode')).toBe('Plan')

    await button('Execute Plan').click()
    await page.locator('.badge[data-mode="Act"]').waitFor()
    await page.getByText('All steps are done.').first().waitFor()
    expect(existsSync(join(folder, 'hello.txt'))).toBe(true)
    expect(
      (await page.getByText('hello.txt (new)').count()) + (await card('WrittenFilesCard').count()),
    ).toBeGreaterThan(0)

    await send('thanks')
    await page.getByText('You are welcome.').first().waitFor()
    expect(await page.locator('.badge').getAttribute('data-mode')).toBe('Act')
  },
)

testWith('chromium', 'PLAN-2.1 steps can be edited, skipped and commented on before that', async () => {
  const { page, button, card, send, program, picture } = await served({
    replies: [proposes(plan), { calls: [create('hello.txt')] }, { text: 'Done as told.' }],
  })
  await button('Act').click()
  await send('add a greeting')
  await button('Comment on step 1').click()
  await page.getByLabel('Comment on step 1').fill('keep it short')
  await button('Edit step 1').click()
  await page.getByLabel('Step 1: what to do instead').fill('Write one line')
  await button('Skip step 2').click()
  await page.getByLabel('Additional instructions').fill('and be polite')
  expect(await page.getByRole('region', { name: 'Plan review' }).textContent()).toContain('2 remarks')
  await picture('plan-editing')
  await button('Execute Plan').click()
  await page.getByText('Done as told.').first().waitFor()
  const [shown] = await card('PlanMessageCard').allTextContents()
  expect(shown).toContain('Write one line')
  expect(shown).toContain('keep it short')
  expect(shown).toContain('and be polite')
  const { stdout } = await program.run(['sessions', 'list'])
  expect(stdout).toContain('add a greeting')
})

testWith('chromium', 'PLAN-2.1 an edit that is taken back leaves the step as it was', async () => {
  const { page, button, send } = await served({ replies: [proposes(plan)] })
  await button('Act').click()
  await send('add a greeting')
  await button('Edit step 1').click()
  const field = page.getByLabel('Step 1: what to do instead')
  const before = await field.inputValue()
  await field.press('End')
  await page.keyboard.type('!')
  expect(await field.inputValue()).toBe(`${before}!`)
  await page.keyboard.press('Backspace')
  expect(await field.inputValue()).toBe(before)
  expect(await button('Revise with comments').isDisabled()).toBe(true)
})

testWith('chromium', 'PLAN-3.2 comments ask for another revision, which shows what changed', async () => {
  const second = {
    ...plan,
    steps: [...plan.steps, { ...planFor('x', 'third.txt').steps[0], step_number: 3 }],
  }
  const { page, button, card, send, picture } = await served({ replies: [proposes(plan), proposes(second)] })
  await button('Act').click()
  await send('add a greeting')
  await button('Comment on step 2').click()
  await page.getByLabel('Comment on step 2').fill('a third file, too')
  await button('Revise with comments').click()
  await page.getByText('Plan r2 · Add a greeting').waitFor()
  expect(await page.getByRole('group', { name: 'Changed since r1' }).textContent()).toContain('step 3 added')
  expect(await card('PlanMessageCard').count()).toBe(2)
  expect(await page.getByText('- Step 2: a third file, too').count()).toBe(1)
  await picture('plan-revision')
})

testWith(
  'chromium',
  'PLAN-3.2 comments on a plan change nothing, also when the chat is in Act mode by then',
  async () => {
    const { page, button, send, folder } = await served({
      replies: [proposes(plan), { ...proposes(plan), calls: [create('hello.txt')] }, proposes(plan)],
    })
    await button('Act').click()
    await send('add a greeting')
    await button('Execute Plan').waitFor()
    await button('Plan').click()
    await page.locator('.badge[data-mode="Act"]').waitFor()
    await page.getByLabel('Additional instructions').fill('in one line')
    await button('Revise with comments').click()
    await page.getByText('Plan r2 · Add a greeting').waitFor()
    expect(await page.locator('.badge').getAttribute('data-mode')).toBe('Plan')
    expect(existsSync(join(folder, 'hello.txt'))).toBe(false)
  },
)

testWith(
  'chromium',
  'PLAN-2.2 going back to Plan asks first while an agent works, and stops it',
  async () => {
    const { page, button, send } = await served({ replies: [{ text: 'late', delay_ms: 60_000 }] })
    await send('take your time')
    await page.getByText('locked while agents work').waitFor()
    await button('Stop and plan …').click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.textContent()).toContain('Work in progress will stop')
    await dialog.getByRole('button', { name: 'Go on working' }).click()
    expect(await page.locator('.badge').getAttribute('data-mode')).toBe('Act')

    await button('Stop and plan …').click()
    await dialog.getByRole('button', { name: 'Stop and switch to Plan' }).click()
    await page.locator('.badge[data-mode="Plan"]').waitFor()
    await page.getByText('interrupted').first().waitFor()
    expect(await page.getByText('locked while agents work').count()).toBe(0)
  },
)

testWith('chromium', 'PLAN-2.3 a chat opened again is in the mode it was left in', async () => {
  const first = await served({ replies: [{ text: 'Looked at it.' }] })
  await first.button('Act').click()
  await first.send('look around')
  await first.page.getByText('Looked at it.').first().waitFor()
  first.running.signal('SIGTERM')
  await first.running.ended

  const { running, url } = await startServer(first.program, { replies: [{ text: 'again' }] })
  const second = await openPage(first.program, running, url)
  await second.page.getByRole('button', { name: /look around/ }).click()
  await second.page.getByText('Looked at it.').first().waitFor()
  expect(await second.page.locator('.badge').getAttribute('data-mode')).toBe('Plan')
  expect(second.complaints).toEqual([])
})

async function served(options: Parameters<typeof servePage>[0] = {}) {
  const all = await servePage({ files, ...options })
  return {
    page: all.page,
    program: all.program,
    running: all.running,
    folder: all.program.folder,
    button: all.button.bind(all),
    card: all.card.bind(all),
    send: all.send.bind(all),
    picture: all.picture.bind(all),
  }
}
