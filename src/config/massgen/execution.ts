import type { Draft, Section } from './draft.ts'

/** How commands run is said per backend there, and once for all here. */
export function importExecution(backend: Section, draft: Draft): void {
  const { execution } = draft
  const docker = (execution['docker'] ?? {}) as Record<string, unknown>
  const mode = backend.choice('command_line_execution_mode', ['docker', 'local'])
  if (mode) {
    if (execution['mode'] !== undefined && execution['mode'] !== mode)
      backend.note('command_line_execution_mode', 'commands of all agents run in Docker')
    if (execution['mode'] !== 'docker') execution['mode'] = mode
  }
  const settings = [
    ['image', 'command_line_docker_image'],
    ['network', 'command_line_docker_network_mode'],
    ['memory', 'command_line_docker_memory_limit'],
    ['cpus', 'command_line_docker_cpu_limit'],
  ] as const
  for (const [to, from] of settings) {
    const value = backend.take(from)
    if (value === undefined || value === null) continue
    const text = to === 'cpus' ? Number(value) : String(value)
    if (to === 'image' && /(^|\/)massgen\b/.test(String(value))) {
      backend.note(from, "the image is made for MassGen; Conclave's own is used")
      continue
    }
    if (docker[to] !== undefined && docker[to] !== text)
      backend.note(from, 'all agents have the same container settings')
    else docker[to] = text
  }
  if (Object.keys(docker).length > 0) execution['docker'] = docker
  importRules(backend, draft)
}

function importRules(backend: Section, draft: Draft): void {
  const allowed = backend.texts('command_line_allowed_commands')
  if (allowed.length > 0) {
    draft.permissions.push({ tool: 'shell', action: 'deny' })
    for (const pattern of allowed) addCommand(backend, draft, 'command_line_allowed_commands', pattern, 'ask')
  }
  for (const pattern of backend.texts('command_line_blocked_commands'))
    addCommand(backend, draft, 'command_line_blocked_commands', pattern, 'deny')
  for (const key of ['exclude_tools', 'disallowed_tools']) {
    for (const tool of backend.texts(key)) {
      const [, command] = /^Bash\((.*)\)$/.exec(tool) ?? []
      if (command)
        draft.permissions.push({ tool: 'shell', resource: command.replace(/:\*$/, '*'), action: 'deny' })
      else if (tool.startsWith('mcp__')) draft.permissions.push({ tool, action: 'deny' })
      else backend.note(key, `there is no tool ${tool}`)
    }
  }
}

/** Patterns are regular expressions there; here `*` stands for any run of characters. */
function addCommand(
  backend: Section,
  draft: Draft,
  key: string,
  pattern: string,
  action: 'ask' | 'deny',
): void {
  const resource = pattern
    .replaceAll(/^\^|\$$|\\b/g, '')
    .replaceAll(/\.[*+]/g, '*')
    .replaceAll(/\\s[+*]?/g, ' ')
    .replaceAll(/\\([.\-/])/g, '$1')
  if (/[\\()[\]{}|+?^$]/.test(resource)) {
    backend.note(key, `${JSON.stringify(pattern)} is more than * can say; write a rule under permissions`)
    return
  }
  draft.permissions.push({
    tool: 'shell',
    resource: resource.endsWith('*') ? resource : `${resource}*`,
    action,
  })
}
