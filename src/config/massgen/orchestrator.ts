import { describeFound } from '../describe-value.ts'
import { importBackend } from './backend.ts'
import { type Draft, type Section, type Values, isMap } from './draft.ts'
import { coordinationReasons, orchestratorReasons, topReasons } from './reasons.ts'

const same = [
  'max_new_answers_per_agent',
  'max_new_answers_global',
  'answer_novelty_requirement',
  'fairness_enabled',
  'skip_voting',
  'disable_injection',
  'defer_voting_until_all_answered',
  'final_answer_strategy',
  'broadcast',
  'seed',
]

/** Everything around the agents. */
export function importSettings(top: Section, draft: Draft): void {
  const orchestrator = top.section('orchestrator')
  const coordination = ['coordination', 'coordination_config'].map((key) => orchestrator.section(key))
  for (const section of [...coordination, orchestrator]) importCoordination(section, draft)
  importContextPaths(orchestrator, draft)
  importContextPaths(top, draft)
  if (orchestrator.has('interactive_mode')) importInteractive(orchestrator.section('interactive_mode'), draft)
  for (const section of [top, orchestrator]) {
    for (const key of ['timeout_settings', 'timeout']) importTimeouts(section.section(key), draft)
  }
  importConsumption(top.section('consumption_settings'), draft)
  for (const section of coordination) section.reportRest(coordinationReasons)
  orchestrator.reportRest(orchestratorReasons)
  importUi(top.section('ui'), draft)
  top.reportRest(topReasons)
}

function importCoordination(section: Section, { orchestrator }: Draft): void {
  for (const key of same) {
    const value = section.take(key)
    if (value !== undefined) orchestrator[key] = value
  }
  const lead = section.number('fairness_lead_cap_answers')
  if (lead !== undefined) orchestrator['fairness_lead'] = Math.max(1, lead)
  if (lead === 0) section.note('fairness_lead_cap_answers', 'an agent may be 1 answer ahead')
  const sensitivity = section.text('voting_sensitivity')
  if (sensitivity) {
    const known = ['lenient', 'balanced', 'strict'].includes(sensitivity)
    orchestrator['voting_sensitivity'] = known ? sensitivity : 'strict'
    if (!known) section.note('voting_sensitivity', `there is no ${sensitivity}; strict is the nearest`)
  }
  if (section.take('skip_coordination_rounds') === true) orchestrator['skip_voting'] = true
  if (section.take('skip_final_presentation') === true) orchestrator['final_answer_strategy'] = 'winner_reuse'
}

function importContextPaths(section: Section, { orchestrator, notes }: Draft): void {
  const given = section.take('context_paths')
  if (given !== undefined && given !== null && !Array.isArray(given))
    section.note('context_paths', 'it is not a list')
  if (!Array.isArray(given)) return
  const paths = (orchestrator['context_paths'] ?? []) as Values[]
  for (const [index, entry] of (given as unknown[]).entries()) {
    const at = [...section.path, 'context_paths', index]
    const { path, permission, protected_paths } = isMap(entry) ? entry : { path: entry }
    if (typeof path !== 'string') {
      notes.push({ path: at, why: 'it has no path' })
      continue
    }
    if (permission !== undefined && permission !== 'read' && permission !== 'write') {
      const why = `expected read or write, found ${describeFound(permission)}; it is read`
      notes.push({ path: [...at, 'permission'], why })
    }
    const shielded = Array.isArray(protected_paths) && protected_paths.length > 0
    paths.push({ path, ...(permission === 'write' && { permission }), ...(shielded && { protected_paths }) })
  }
  if (paths.length > 0) orchestrator['context_paths'] = paths
}

function importInteractive(section: Section, draft: Draft): void {
  const mode: Values = {}
  for (const key of ['enabled', 'require_approval', 'append_system_prompt', 'context_compaction']) {
    const value = section.take(key)
    if (value !== undefined) mode[key] = value
  }
  if (section.has('backend')) mode['backend'] = importBackend(section.section('backend')) ?? null
  else section.take('backend')
  section.reportRest()
  draft.orchestrator['interactive_mode'] = mode
}

const limits = [
  'orchestrator_timeout_seconds',
  'initial_round_timeout_seconds',
  'subsequent_round_timeout_seconds',
  'round_timeout_grace_seconds',
]

function importTimeouts(section: Section, { timeout_settings }: Draft): void {
  for (const key of limits) {
    const value = section.take(key)
    if (value !== undefined) timeout_settings[key] = value
  }
  section.reportRest(new Map([['agent_timeout_seconds', 'see initial_round_timeout_seconds']]))
}

/** Tokens for the run, and for each agent by its id. */
function importConsumption(section: Section, draft: Draft): void {
  const total = section.number('max_total_tokens')
  if (total !== undefined) draft.orchestrator['budget'] = { max_tokens: total }
  const limits = section.take('per_agent_limits')
  if (limits !== undefined && limits !== null && !isMap(limits))
    section.note('per_agent_limits', 'it is not a map')
  for (const [id, limit] of Object.entries(isMap(limits) ? limits : {})) {
    const agent = draft.agents.find((candidate) => candidate['id'] === id)
    if (agent) agent['budget'] = { max_tokens: limit }
    else section.note('per_agent_limits', `there is no agent ${id}`)
  }
  section.reportRest()
}

function importUi(section: Section, { ui }: Draft): void {
  const theme = section.choice('theme', ['light', 'dark'])
  if (theme) ui['theme'] = theme
  section.reportRest(
    new Map([
      ['display_type', 'conclave is the terminal UI, conclave -p is plain text'],
      ['logging_enabled', 'everything is kept in the log of the chat'],
    ]),
  )
}
