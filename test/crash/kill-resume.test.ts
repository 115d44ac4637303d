import { expect, test } from 'vitest'
import { needs } from '../support/needs.ts'
import { runCampaign, teamRun } from './campaign.ts'

test('killed at any moment, the program loses nothing it acknowledged, repeats nothing, and finishes when resumed', async () => {
  const { problems, ...counts } = await runCampaign({ kills: 15, seed: 20_260_301 })
  expect(problems).toEqual([])
  expect(counts).toMatchObject({ kills: 15, lost: 0, repeated: 0, unfinished: 0 })
  expect(counts.acknowledged).toBeGreaterThan(100)
}, 60_000)

test('a run of a team that is killed at any moment comes to the same end, and leaves nothing behind', async () => {
  const scene = teamRun(needs('bwrap') ? 'alone' : 'with_commands')
  const { problems, ...counts } = await runCampaign({ kills: 15, seed: 20_261_116 }, scene)
  expect(problems).toEqual([])
  expect(counts).toMatchObject({ kills: 15, lost: 0, repeated: 0, unfinished: 0 })
  expect(counts.acknowledged).toBeGreaterThan(100)
}, 120_000)
