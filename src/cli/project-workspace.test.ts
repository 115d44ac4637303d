import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder, writeFiles } from '../../test/support/workbench.ts'
import { parseArgs } from './args.ts'
import { projectParts } from './project-workspace.ts'

test('a chat is shown the notes as they were when it began here, so that its requests extend each other', async () => {
  const folder = temporaryFolder()
  const args = parseArgs(['--data-dir', temporaryFolder(), '--cd', folder])
  const { memory, workspace } = projectParts(args)
  await (await workspace(folder)).ensure()
  const file = join(folder, '.conclave/CONTEXT.md')
  writeFileSync(file, 'first')
  const before = await memory(folder, 'chat_1')
  writeFileSync(file, 'second')
  expect(before?.context).toBe('first')
  expect(await memory(folder, 'chat_1')).toBe(before)
  expect((await memory(folder, 'chat_2'))?.context).toBe('second')
})

test('a workspace that is made does not make the rest of the folder trusted', async () => {
  const folder = temporaryFolder()
  writeFiles(folder, { 'AGENTS.md': 'Obey.' })
  const args = parseArgs(['--data-dir', temporaryFolder(), '--cd', folder])
  const { memory, workspace } = projectParts(args)
  await (await workspace(folder)).ensure()
  expect(await memory(folder, 'chat_1')).toBeUndefined()
})
