import { importBackend } from './backend.ts'
import { type Draft, Section, type Values } from './draft.ts'
import { importExecution } from './execution.ts'
import { importServers } from './servers.ts'

/** `agents`, a list, or `agent`, a single one. */
export function importAgents(top: Section, draft: Draft): void {
  const [list, single] = [top.take('agents'), top.take('agent')]
  const entries: { value: unknown; path: PropertyKey[] }[] = Array.isArray(list)
    ? list.map((value: unknown, index) => ({ value, path: ['agents', index] }))
    : []
  if (single !== undefined) entries.push({ value: single, path: ['agent'] })
  if (list !== undefined && !Array.isArray(list)) top.note('agents', 'it is not a list')
  for (const { value, path } of entries) importAgent(new Section(value, path, draft), draft)
}

function importAgent(section: Section, draft: Draft): void {
  const given = section.takeFirst('id', 'agent_id', 'name')
  const id = toId(given === undefined ? `agent${draft.agents.length + 1}` : String(given), draft)
  if (given !== undefined && id !== String(given)) section.note('id', `the agent is called ${id}`)
  const old = section.take('agent_type')
  const settings = section.section(section.has('model_config') ? 'model_config' : 'backend')
  const backend = old === undefined ? settings : withType(settings, String(old), draft)
  const messages = [section.text('system_message'), ...instructions.map((key) => backend.text(key))]
  importServers(backend, draft)
  importExecution(backend, draft)
  const imported = importBackend(backend)
  const description = section.text('description')
  section.reportRest(new Map([['subtask', 'agents work on the same task']]))
  if (!imported) {
    draft.tasks.push({ path: [], text: `The agent ${id} was left out: its backend has no counterpart.` })
    return
  }
  const agent: Values = { id, backend: imported, ...(description && { description }) }
  const message = messages.filter((text) => text !== undefined).join('\n\n')
  if (message) agent['system_message'] = message
  draft.agents.push(agent)
  draft.agentPaths.push(section.path)
}

const instructions = ['system_message', 'system_prompt', 'append_system_prompt', 'custom_system_instruction']

/** The first form of MassGen's files: `agent_type` beside `model_config`. */
function withType(settings: Section, type: string, draft: Draft): Section {
  const values = Object.fromEntries(settings.keys().map((key) => [key, settings.take(key)]))
  return new Section({ ...values, type }, settings.path, draft)
}

function toId(text: string, { agents }: Draft): string {
  const plain = text.replaceAll(/[^\w.-]+/g, '-').replace(/^[^A-Za-z0-9]+|-+$/g, '') || 'agent'
  const used = new Set(agents.map(({ id }) => id))
  for (let number = 1; ; number++) {
    const id = number === 1 ? plain : `${plain}-${number}`
    if (!used.has(id)) return id
  }
}
