import type { Coordination, FinalAnswerStrategy, TeamMode } from '../../schema/coordination.ts'

/** What a person chose with the mode bar, the command line or `launch_run`. */
export interface RunModes {
  /** A planning run changes nothing, whatever may be written otherwise. */
  plan: boolean
  team: TeamMode
  refinement: boolean
  /** There are context paths that may be written. */
  write_paths: boolean
  /** Chosen for this run; goes before the config. */
  strategy?: FinalAnswerStrategy
}

/** What the config says about coordination, as far as the modes do not decide it. */
export type CoordinationConfig = Omit<
  Coordination,
  'presentation' | 'write_during_coordination' | 'final_answer_strategy'
> & { final_answer_strategy?: FinalAnswerStrategy }

/** Modes decide how a team works; what they leave open, the config does. */
export function coordinationFor(modes: RunModes, config: CoordinationConfig): Coordination {
  const writes = modes.write_paths && !modes.plan
  if (modes.team === 'single' && !modes.refinement) {
    return {
      ...config,
      max_new_answers_per_agent: 1,
      skip_voting: true,
      disable_injection: true,
      defer_voting_until_all_answered: false,
      final_answer_strategy: 'winner_reuse',
      presentation: false,
      write_during_coordination: !modes.plan,
    }
  }
  const quick = modes.refinement ? {} : quickTeam
  const usual = modes.refinement ? 'winner_present' : 'synthesize'
  const strategy = modes.strategy ?? config.final_answer_strategy ?? usual
  return {
    ...config,
    ...quick,
    final_answer_strategy: strategy,
    presentation: strategy !== 'winner_reuse' || writes,
    write_during_coordination: false,
  }
}

/** Everybody answers once, on their own; then they vote for who puts it all together. */
const quickTeam = {
  max_new_answers_per_agent: 1,
  disable_injection: true,
  defer_voting_until_all_answered: true,
} as const

/** The same for a planning run: nothing can be written, so nothing is presented for the sake of writing. */
export const withoutWrites = (coordination: Coordination): Coordination => ({
  ...coordination,
  write_during_coordination: false,
  presentation: coordination.presentation && coordination.final_answer_strategy !== 'winner_reuse',
})
