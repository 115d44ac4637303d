import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { testWith } from '../support/needs.ts'
import { planFor, proposes } from '../support/plans.ts'
import { servePage } from './served-page.ts'

testWith('chromium', 'a plan that is rejected is over, and nothing was done', async () => {
  const served = await servePage({ replies: [proposes(planFor('Add a greeting', 'hello.txt'))] })
  await served.button('Act').click()
  await served.send('add a greeting')
  await served.button('Reject').click()
  await served.page.getByText(/was rejected/).waitFor()
  expect(await served.card('PlanMessageCard').textContent()).toContain('rejected')
  expect(await served.button('Execute Plan').count()).toBe(0)
  expect(await served.page.locator('.badge').getAttribute('data-mode')).toBe('Plan')
  await served.picture('plan-rejected')
})

testWith('chromium', 'at its limit an agent asks how to go on, and takes words as guidance', async () => {
  const look = { calls: [{ name: 'list_files', input: {} }] }
  const served = await servePage({
    replies: Array.from({ length: 40 }, () => look),
    args: [],
  })
  await served.send('look around for ever')
  const card = served.page.locator('.dock [data-card="QuestionMessageCard"]')
  await card.waitFor()
  expect(await card.textContent()).toContain('Guidance')
  await served.picture('guidance')
  await card.getByRole('button', { name: 'Stop here' }).click()
  await served.page.getByText('locked while agents work').waitFor({ state: 'detached' })
  expect(await served.card('QuestionMessageCard').first().textContent()).toContain(
    'stop here answered by web',
  )
})

testWith('chromium', 'the workspace of a project can be looked through', async () => {
  const served = await servePage({ replies: [{ text: 'Hello.' }] })
  const workspace = join(served.program.folder, '.conclave')
  mkdirSync(join(workspace, 'runs/run_1'), { recursive: true })
  mkdirSync(join(workspace, 'deliverables'), { recursive: true })
  writeFileSync(join(workspace, 'CONTEXT.md'), '# The shop\n\nSells **tea**.\n')
  writeFileSync(join(workspace, 'runs/run_1/record.json'), '{"status": "complete"}\n')
  writeFileSync(join(workspace, 'deliverables/report.txt'), 'all is well\n')
  await served.send('hi')
  await served.page.getByText('Hello.').first().waitFor()
  await served.button('files of project').click()
  const dialog = served.page.getByRole('dialog', { name: 'Workspace of project' })
  await dialog.getByRole('button', { name: /CONTEXT\.md/ }).click()
  await dialog.getByRole('heading', { name: 'The shop' }).waitFor()
  expect(await dialog.locator('strong').textContent()).toBe('tea')
  await served.picture('workspace')
  await dialog.getByRole('button', { name: 'runs/' }).click()
  await dialog.getByRole('button', { name: 'run_1/' }).click()
  await dialog.getByRole('button', { name: /record\.json/ }).click()
  await dialog.getByText('"complete"').waitFor()
  await dialog.getByRole('button', { name: '..' }).click()
  await dialog.getByRole('button', { name: '..' }).click()
  await dialog.getByRole('button', { name: 'deliverables/' }).click()
  await dialog.getByRole('button', { name: /report\.txt/ }).click()
  await dialog.getByText('all is well').waitFor()
  expect(served.complaints).toEqual([])
})

testWith(
  'chromium',
  'names of files never cover what is beside them, and an empty config says why',
  async () => {
    const served = await servePage({ team: { a: [{ text: 'Hello.' }] } })
    const { page, program } = served
    await served.send('hi')
    await page.getByText('Hello.').first().waitFor()
    const folder = join(program.folder, '.conclave/deliverables')
    mkdirSync(folder, { recursive: true })
    const long = 'n'.repeat(200)
    for (const name of [long, 'short.txt', 'why?#&.txt']) writeFileSync(join(folder, name), `of ${name}\n`)
    await served.button('files of project').click()
    await page.getByRole('button', { name: 'deliverables/' }).click()
    for (const name of ['short.txt', long, 'why?#&.txt']) {
      await page.getByRole('button', { name }).click()
      await page.getByLabel(`.conclave/deliverables/${name}`).getByText(`of ${name}`).waitFor()
    }
    await page.keyboard.press('Escape')

    program.configure('')
    await served.button('Settings').click()
    const problem = page.getByRole('dialog').locator('.problem')
    expect(await problem.textContent()).toMatch(/^1:1 ./)
  },
)
