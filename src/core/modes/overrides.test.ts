import { expect, test } from 'vitest'
import { strategies } from '../../schema/coordination.ts'
import { type CoordinationConfig, type RunModes, coordinationFor, withoutWrites } from './overrides.ts'

const config: CoordinationConfig = {
  max_new_answers_per_agent: 5,
  max_new_answers_global: 9,
  fairness_lead: 2,
  answer_novelty_requirement: 'strict',
  voting_sensitivity: 'lenient',
  skip_voting: false,
  disable_injection: false,
  defer_voting_until_all_answered: false,
  max_reminders: 3,
}

const both = [false, true]
const table: RunModes[] = both.flatMap((plan) =>
  (['single', 'multi'] as const).flatMap((team) =>
    both.flatMap((refinement) =>
      both.flatMap((write_paths) =>
        [undefined, ...strategies].map((strategy) => ({
          ...{ plan, team, refinement, write_paths },
          ...(strategy && { strategy }),
        })),
      ),
    ),
  ),
)

const name = ({ plan, team, refinement, write_paths, strategy }: RunModes): string =>
  [
    plan ? 'Plan' : 'Act',
    team,
    refinement ? 'refine' : 'quick',
    write_paths ? 'writes' : 'reads',
    strategy ?? 'usual',
  ].join(' ')

/** What the specification says, mode by mode, and nothing of how it is worked out. */
function expected({ plan, team, refinement, write_paths, strategy }: RunModes) {
  if (team === 'single' && !refinement) {
    const answers = { max_new_answers_per_agent: 1, skip_voting: true, presentation: false }
    return { ...answers, final_answer_strategy: 'winner_reuse', write_during_coordination: !plan }
  }
  const chosen = strategy ?? (team === 'multi' && !refinement ? 'synthesize' : 'winner_present')
  const presents = chosen === 'winner_reuse' ? write_paths && !plan : true
  const common = { final_answer_strategy: chosen, presentation: presents, write_during_coordination: false }
  if (refinement) return { ...common, ...config }
  return {
    ...common,
    max_new_answers_per_agent: 1,
    disable_injection: true,
    defer_voting_until_all_answered: true,
    skip_voting: false,
  }
}

test.each(table.map((modes) => [name(modes), modes] as const))('%s', (_, modes) => {
  expect(coordinationFor(modes, config)).toMatchObject(expected(modes))
})

test('all combinations are there', () => {
  expect(new Set(table.map(name)).size).toBe(2 * 2 * 2 * 2 * 4)
})

test('a strategy of the config counts where none was chosen for the run', () => {
  const reuses: CoordinationConfig = { ...config, final_answer_strategy: 'winner_reuse' }
  const modes = { plan: false, team: 'multi', refinement: false, write_paths: false } as const
  expect(coordinationFor(modes, reuses)).toMatchObject({
    final_answer_strategy: 'winner_reuse',
    presentation: false,
  })
  expect(coordinationFor({ ...modes, strategy: 'synthesize' }, reuses).presentation).toBe(true)
})

test('what was worked out for Act mode fits a planning run after taking the writes out', () => {
  for (const modes of table.filter(({ plan }) => !plan)) {
    expect(withoutWrites(coordinationFor(modes, config)), name(modes)).toEqual(
      coordinationFor({ ...modes, plan: true }, config),
    )
  }
})
