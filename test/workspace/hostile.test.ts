import { spawnSync } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { trackWrites } from '../../src/adapters/workspace/track-writes.ts'
import { hostileRepository } from '../security/git/hostile-repository.ts'
import { testWith } from '../support/needs.ts'
import { writeFiles } from '../support/workbench.ts'
import { contents, granted, scene } from './support.ts'

testWith('git', '9 workspaces of a hostile repository run nothing of it', async () => {
  const { folder, sprung } = hostileRepository()
  const env = { PATH: process.env['PATH'], HOME: '/nowhere' }
  sprung()
  spawnSync('git', ['status'], { cwd: folder, env })
  spawnSync('git', ['diff'], { cwd: folder, env })
  // Control: plain Git does run them.
  expect(sprung()).toEqual(expect.arrayContaining(['clean-filter', 'external-diff', 'fsmonitor']))
  const repository = contents(join(folder, '.git'))

  const { data, workspaces, open, snapshot, apply } = scene({}, { folder })
  const [one, two] = [await open('one'), await open('two')]
  writeFiles(one.path, {
    'c.mine': 'changed\n',
    'd.included': 'changed\n',
    'b.bin': 'changed\n',
    'e.mine': 'e\n',
  })
  const frozen = await snapshot(one)
  expect(frozen.changes.files).toHaveLength(4)
  expect(await workspaces.diff(frozen)).toContain('-three more\n+changed')
  granted(await workspaces.reset(two, frozen))
  appendFileSync(join(folder, 'c.mine'), 'by the user\n')
  expect((await apply(frozen)).conflicts.map(({ path }) => path)).toEqual(['c.mine'])
  const tracker = trackWrites()
  const record = join(data, 'record.json')
  await tracker.begin({ paths: [folder], record })
  writeFileSync(join(folder, 'a.txt'), 'x\n')
  granted(await tracker.end({ record, log_dir: data, folder }))
  // Git in the workspace is not the user's: it has none of its settings.
  spawnSync('git', ['status'], { cwd: one.path, env })
  spawnSync('git', ['diff'], { cwd: one.path, env })
  expect(sprung()).toEqual([])
  expect(contents(join(folder, '.git'))).toEqual(repository)
})
