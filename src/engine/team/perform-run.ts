import type { RunEffect } from '../../core/run/effects.ts'
import type { RunInput } from '../../core/run/input.ts'
import type { RunDesk } from './desk.ts'
import { runAgentTurn } from './agent-turn.ts'
import { gatherEvidence } from './evidence.ts'
import { applyAnswer, findWrites, storeLog, takeBaseline } from './final.ts'
import { tellNews } from './news.ts'

/** Does one piece of a run's work. */
export async function performRun(desk: RunDesk, effect: RunEffect, signal: AbortSignal): Promise<RunInput> {
  const { clock } = desk.turns.parts
  switch (effect.type) {
    case 'run_turn':
      return runAgentTurn(desk, effect, signal)
    case 'gather_evidence':
      return gatherEvidence(desk, effect, signal)
    case 'tell':
      return tellNews(desk, effect, signal)
    case 'wait':
      await clock.sleep(Math.max(0, effect.until_ms - clock.now()), signal)
      return { type: 'timer', name: effect.name, now: clock.now() }
    case 'take_baseline':
      return takeBaseline(desk)
    case 'apply':
      return applyAnswer(desk, effect.label)
    case 'find_writes':
      return findWrites(desk, effect.baseline)
    case 'store_log':
      return storeLog(desk)
  }
}
