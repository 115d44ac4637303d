import { expect, it } from 'vitest'
import { runRace } from './symlink-race.ts'

// Only handles can promise this; see checked-folder.ts. The script beside this file does 20,000 operations.
it.runIf(process.platform === 'linux')('3 nothing escapes while a parent is swapped for a link', async () => {
  const result = await runRace(2_000, 'gateway')
  expect(result).toMatchObject({ operations: 2_000, escaped: 0 })
  expect(result.done).toBeGreaterThan(0)
  expect(result.refused).toBeGreaterThan(0)
})
