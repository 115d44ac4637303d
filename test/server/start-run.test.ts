import { expect, test } from 'vitest'
import { settleCommand } from '../../src/server/settle-command.ts'
import type { Roster } from '../../src/client/client.ts'
import type { WireCommand } from '../../src/client/wire.ts'
import { TeamBench } from '../support/team-bench.ts'

test('over HTTP too, one agent works alone: the first, or the one that is named', () => {
  const bench = new TeamBench({ agents: { a: [], b: [] }, team: 'single', refinement: false })
  const single = bench.settings()
  const { turn } = single
  const roster: Roster = {
    ...{ version: '0', folder: bench.folder, interactive: false, settings: turn },
    agents: single.agents.map(({ id }) => ({ id, model: 'scripted' })),
    runs: { single_quick: single, single_refine: single, multi_quick: single, multi_refine: single },
  }
  const chosen = (agents?: string[]) => {
    const modes = { team_mode: 'single', refinement: false, ...(agents && { agents }) } as const
    const command: WireCommand = { type: 'start_run', chat_id: bench.chat, text: 'go', ...modes }
    const settled = settleCommand(command, roster)
    return settled.type === 'start_run' && settled.settings.agents.map(({ id }) => id)
  }
  expect(chosen()).toEqual(['a'])
  expect(chosen(['b'])).toEqual(['b'])
})
