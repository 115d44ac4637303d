import { coordinationFor } from '../../src/core/modes/overrides.ts'
import type { ChatMode, PermissionMode } from '../../src/schema/chat-config.ts'
import type { RunMessageSettings } from '../../src/schema/command.ts'
import { strategies } from '../../src/schema/coordination.ts'
import type { DurableEvent } from '../../src/schema/envelope.ts'
import { CONTEXT } from './disk.ts'
import { type Random, randomOf } from './random.ts'

export const behaviours = [
  'honest',
  'refiner',
  'writer',
  'slow',
  'silent',
  'crasher',
  'spammer',
  'copycat',
  'double',
  'forger',
  'stale',
  'eager',
  'injector',
  'hanger',
  'looper',
  'asker',
  'curious',
  'mixed',
] as const
export type Behaviour = (typeof behaviours)[number]

/** The step it happens at: counted from the beginning, or from the first event of a type. */
export interface Moment {
  step: number
  after?: DurableEvent['type']
}

export interface Fault extends Moment {
  kind: 'crash' | 'append_fails'
  /** How long nobody restarts it. */
  down_ms: number
}

export interface Interference extends Moment {
  kind: 'interrupt' | 'limit' | 'guidance' | 'override'
}

/** Everything about a seed that is not decided on the way. */
export interface Scenario {
  seed: number
  mode: ChatMode
  behaviours: Map<string, Behaviour>
  settings: RunMessageSettings
  faults: Fault[]
  interferences: Interference[]
  /** The longest a person thinks before answering. */
  patience_ms: number
  /** Workspaces of these agents cannot be made. */
  refused: Set<string>
  /** The price of a call is not known. */
  unpriced: boolean
}

export function scenarioOf(seed: number): Scenario {
  const random = randomOf('scenario', seed)
  const mode: ChatMode = random.chance(0.8) ? 'Act' : 'Plan'
  const count = howMany(random)
  const names = Array.from({ length: count }, (_, index) => `member${String.fromCodePoint(97 + index)}`)
  const kinds = mood(random, count)
  const settings = settingsOf(random, mode, names)
  return {
    seed,
    mode,
    settings,
    behaviours: new Map(names.map((name, index) => [name, kinds[index] ?? 'honest'])),
    faults: random.chance(0.45) ? faultsOf(random) : [],
    interferences: random.chance(0.35) ? interferencesOf(random) : [],
    patience_ms: random.pick([0, 2_000, 30_000, 400_000]),
    refused: new Set(names.filter(() => random.chance(0.015))),
    unpriced: random.chance(0.1),
  }
}

const howMany = (random: Random): number =>
  random.pick([1, 2, 2, 3, 3, 3, 4, 5, 6, random.between(7, 12), random.between(2, 24)])

/** Some teams are all alike, most are mixed. */
function mood(random: Random, count: number): Behaviour[] {
  const kind = random.next()
  if (kind < 0.15) return Array.from({ length: count }, () => 'honest')
  const honest = kind < 0.5 ? 0.7 : 0.25
  return Array.from({ length: count }, () => {
    if (random.chance(honest)) return random.pick(['honest', 'refiner', 'writer'] as const)
    return random.pick(behaviours)
  })
}

function settingsOf(random: Random, mode: ChatMode, names: readonly string[]): RunMessageSettings {
  const count = names.length
  const team = count === 1 ? 'single' : 'multi'
  const refinement = random.chance(0.7)
  const writes = random.chance(0.3)
  const strategy = random.chance(0.5) ? random.pick(strategies) : undefined
  const permission: PermissionMode = random.pick(['auto', 'auto', 'ask', 'auto-edit', 'deny'])
  const maybe = <T>(probability: number, value: () => T): T | null =>
    random.chance(probability) ? value() : null
  const budget = random.chance(0.12) ? { max_tokens: random.between(500, 40_000) } : {}
  return {
    team_mode: team,
    refinement,
    agents: names.map((id) => ({
      id,
      speaks: random.chance(0.12) ? 'text' : 'tools',
      ...(random.chance(0.05) && { max_tokens: random.between(400, 6_000) }),
    })),
    coordination: coordinationFor(
      { plan: mode === 'Plan', team, refinement, write_paths: writes, ...(strategy && { strategy }) },
      {
        voting_sensitivity: 'balanced',
        max_new_answers_per_agent: random.pick([1, 2, 3, null]),
        max_new_answers_global: maybe(0.25, () => random.between(Math.max(1, count - 1), count + 3)),
        fairness_lead: maybe(0.3, () => random.between(1, 2)),
        answer_novelty_requirement: random.pick(['lenient', 'balanced', 'strict']),
        skip_voting: random.chance(0.1),
        disable_injection: random.chance(0.12),
        defer_voting_until_all_answered: random.chance(0.3),
        max_reminders: random.between(0, 3),
        ...(random.chance(0.2) && { broadcast: random.pick(['agents', 'agents', 'human'] as const) }),
      },
    ),
    turn: { permission, max_iterations: random.between(3, 8), reflect: 'never' },
    context_paths: writes ? [{ path: CONTEXT, permission: 'write', protected_paths: [] }] : [],
    evidence: random.chance(0.3) ? [{ name: 'tests', command: 'npm test', timeout_seconds: 60 }] : [],
    override: random.pick(['ask', 'ask', 'continue', { agent: random.pick(names) }]),
    budget,
    timeouts: {
      run_ms: random.between(60, 600) * 1_000,
      first_round_ms: maybe(0.5, () => random.between(10, 120) * 1_000),
      later_round_ms: maybe(0.5, () => random.between(10, 60) * 1_000),
      grace_ms: random.between(1, 30) * 1_000,
    },
    seed: random.between(0, 2 ** 31),
  }
}

function faultsOf(random: Random): Fault[] {
  return Array.from({ length: random.between(1, 3) }, () => ({
    ...momentOf(random, [60, 300, 1_000]),
    kind: random.chance(0.8) ? ('crash' as const) : ('append_fails' as const),
    down_ms: random.pick([0, 0, 5_000, 300_000]),
  }))
}

/** Some anywhere, some right where it hurts. */
function momentOf(random: Random, reaches: readonly number[]): Moment {
  if (random.chance(0.5)) return { step: random.between(1, random.pick(reaches)) }
  const after = random.pick([
    'answer.submitted',
    'vote.cast',
    'vote.cast',
    'voting.completed',
    'pending.opened',
    'presentation.started',
    'writes.enabled',
    'run.ending',
    'run.finished',
  ] as const)
  return { step: random.between(0, random.pick([1, 3, 12])), after }
}

function interferencesOf(random: Random): Interference[] {
  return Array.from({ length: random.between(1, 4) }, () => ({
    ...momentOf(random, [100, 400, 1_200]),
    kind: random.pick(['interrupt', 'limit', 'guidance', 'guidance', 'override', 'override'] as const),
  }))
}
