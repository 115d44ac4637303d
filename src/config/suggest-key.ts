import { keysOf, schemaAt, sectionsWith } from './json-schema.ts'
import type { Path } from './locate.ts'
import { suggest } from './suggest.ts'

/** Advice for a key that is not known at this path. */
export function suggestKey(path: Path, key: string): string {
  const known = keysOf(schemaAt(path))
  const backend = known.includes('api_key_env')
  if (backend && /^(api_?key|key|token)$/i.test(key))
    return 'a key is never read from a file: name it with api_key_env or api_key_command'
  if (key === '<<')
    return 'merge keys are not taken: use an anchor for the whole value, or write the keys out'
  const meant = synonyms.get(key)?.find((word) => known.includes(word)) ?? suggest(key, known)
  if (meant) return `did you mean ${meant}?`
  const [section] = sectionsWith(key)
  if (section !== undefined)
    return section === '' ? 'it belongs at the top of the file' : `it belongs under ${section}`
  if (massgen.test(key))
    return "it is MassGen's: conclave config import <file> turns such a file into one of ours"
  return known.length > 0 ? `known here: ${known.join(', ')}` : 'nothing is known here'
}

const synonyms = new Map<string, readonly string[]>(
  Object.entries({
    max_tokens: ['max_output_tokens'],
    max_completion_tokens: ['max_output_tokens'],
    provider: ['type'],
    url: ['base_url', 'url'],
    endpoint: ['base_url', 'url'],
    name: ['id'],
    prompt: ['system_message', 'append_system_prompt'],
    system_prompt: ['system_message', 'append_system_prompt'],
    instructions: ['system_message', 'append_system_prompt'],
    thinking: ['reasoning_effort'],
    effort: ['reasoning_effort'],
    access: ['permission'],
    mode: ['permission', 'action'],
    fairness_lead_cap_answers: ['fairness_lead'],
    timeout: ['timeouts', 'timeout_settings', 'timeout_ms', 'timeout_seconds'],
    mcp: ['mcp_servers'],
    mcpServers: ['mcp_servers'],
  }),
)

const massgen =
  /^(agent|coordination|cwd|enable_\w+|command_line_\w+|snapshot_storage|agent_temporary_workspace|session_storage|exclude_tools|allowed_tools|disallowed_tools|permission_mode|skip_coordination_rounds|memory|filesystem_memory)$/
