import { expect, test } from 'vitest'
import { runCampaign } from './campaign.ts'

test('killed at any moment, the program loses nothing it acknowledged, repeats nothing, and finishes when resumed', async () => {
  const { problems, ...counts } = await runCampaign({ kills: 15, seed: 20_260_301 })
  expect(problems).toEqual([])
  expect(counts).toMatchObject({ kills: 15, lost: 0, repeated: 0, unfinished: 0 })
  expect(counts.acknowledged).toBeGreaterThan(100)
}, 60_000)
