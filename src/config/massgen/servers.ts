import { isSecretName, looksLikeKey } from '../hide-keys.ts'
import { type Draft, Section, type Values, isMap } from './draft.ts'

/** MCP servers of a backend, as a list with names or as a map by name. They become servers of all agents. */
export function importServers(backend: Section, draft: Draft): void {
  const given = backend.take('mcp_servers')
  const path = [...backend.path, 'mcp_servers']
  const entries: [PropertyKey, unknown][] = Array.isArray(given)
    ? given.map((server: unknown, index) => [index, server])
    : isMap(given)
      ? Object.entries(given)
      : []
  for (const [key, value] of entries) {
    const section = new Section(value, [...path, key], draft)
    const name = toName(section.text('name') ?? (typeof key === 'string' ? key : `server${Number(key) + 1}`))
    importServer(name, section, draft)
  }
}

function importServer(name: string, section: Section, draft: Draft): void {
  const server: Values = {}
  const tasks: string[] = []
  const type = section.text('type')
  importCommand(section, server, tasks, name)
  importUrl(section, server, tasks)
  if (type === 'sse') tasks.push('it uses the old sse transport; give the streamable HTTP address')
  const headers = importHeaders(section, name)
  if (Object.keys(headers).length > 0) server['headers'] = headers
  const timeout = section.takeFirst('timeout', 'timeout_seconds')
  if (typeof timeout === 'number' && timeout > 0) server['timeout_ms'] = Math.round(timeout * 1000)
  if (section.takeFirst('enabled', 'disabled') !== undefined && !isOn(section)) server['enabled'] = false
  const allowed = section.texts('allowed_tools')
  const excluded = section.texts('exclude_tools')
  section.reportRest(new Map([['security', 'addresses are checked by Conclave itself']]))
  if (!server['command'] && !server['url']) {
    section.note('', 'it has neither a command nor an address')
    return
  }
  if (tasks.length > 0) server['enabled'] = false
  const known = findSame(draft, name, server)
  if (known === 'same') return
  draft.mcp_servers[known] = server
  for (const text of tasks) {
    draft.tasks.push({ path: ['mcp_servers', known], text: `${text}; then take enabled: false away` })
    section.note('', text)
  }
  const tool = (given: string): string => (given.startsWith('mcp__') ? given : `mcp__${known}__${given}`)
  if (allowed.length > 0) {
    draft.permissions.push({ tool: `mcp__${known}__*`, action: 'deny' })
    for (const given of allowed) draft.permissions.push({ tool: tool(given), action: 'ask' })
  }
  for (const given of excluded) draft.permissions.push({ tool: tool(given), action: 'deny' })
}

const isOn = (section: Section): boolean =>
  section.take('enabled') !== false && section.take('disabled') !== true

/** Two agents often name the same server; two different ones may share a name. */
function findSame(draft: Draft, name: string, server: Values): 'same' | (string & {}) {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}_${number}`
    const there = Object.hasOwn(draft.mcp_servers, candidate) ? draft.mcp_servers[candidate] : undefined
    if (!there) return candidate
    if (JSON.stringify(there) === JSON.stringify(server)) return 'same'
  }
}

function importCommand(section: Section, server: Values, tasks: string[], name: string): void {
  const command = section.take('command')
  const list = Array.isArray(command) ? command.map(String) : typeof command === 'string' ? [command] : []
  const [program, ...rest] = list
  const args = section.take('args')
  const given = [...rest, ...(Array.isArray(args) ? args.map(String) : [])]
  if (program) server['command'] = program
  if (given.length > 0) server['args'] = given.map((arg, index) => withoutKey(arg, given[index - 1], tasks))
  const cwd = section.text('cwd')
  if (cwd) server['cwd'] = cwd
  const env = section.take('env')
  if (isMap(env)) server['env'] = importVariables(section, env, name)
  else if (Array.isArray(env)) server['env'] = env.map(String)
}

function withoutKey(arg: string, before: string | undefined, tasks: string[]): string {
  const [, flag, value] = /^(--?[\w-]+=|[A-Z_]+=)(.*)$/s.exec(arg) ?? []
  const secret =
    looksLikeKey(arg) || (flag && isSecretName(flag.replace(/=$/, ''))) || (before && isSecretFlag(before))
  if (/\$\{?\w+/.test(arg)) tasks.push('variables in args are not looked up; pass them with env')
  else if (secret && value !== '') {
    tasks.push('an argument held a key; pass it with env')
    return flag ? `${flag}REPLACE_ME` : 'REPLACE_ME'
  }
  return arg
}

const isSecretFlag = (text: string): boolean => /^--?[\w-]+$/.test(text) && isSecretName(text)

/** Variables keep their values unless they are to be kept to oneself: those are looked up in the environment. */
function importVariables(section: Section, env: Values, name: string): Values {
  return Object.fromEntries(
    Object.entries(env).flatMap(([variable, value]) => {
      if (!/^[A-Za-z_]\w*$/.test(variable)) return []
      const text = String(value)
      const [, named] = /^\$\{?([A-Za-z_]\w*)\}?$/.exec(text) ?? []
      if (named) return [[variable, `\${${named}}`]]
      if (!isSecretName(variable) && !looksLikeKey(text)) return [[variable, text]]
      section.note(
        'env',
        `${variable} of ${name} is a secret: export it; the server gets it from the environment`,
      )
      return [[variable, `\${${variable}}`]]
    }),
  )
}

function importUrl(section: Section, server: Values, tasks: string[]): void {
  const url = section.text('url')
  if (url === undefined) return
  if (!URL.canParse(url)) {
    section.note('url', 'it is no address')
    return
  }
  const parsed = new URL(url)
  const secret = [...parsed.searchParams].filter(
    ([key, value]) => isSecretName(key) || /key$/i.test(key) || looksLikeKey(value),
  )
  if (parsed.username || parsed.password || secret.length > 0) {
    tasks.push('its address held a key; send it with headers, such as Authorization: Bearer ${NAME}')
    Object.assign(parsed, { username: '', password: '' })
    for (const [key] of secret) parsed.searchParams.delete(key)
    server['url'] = parsed.href
    return
  }
  if (/\$\{?\w/.test(url)) tasks.push('variables in an address are not looked up; send them with headers')
  server['url'] = url
}

function importHeaders(section: Section, name: string): Record<string, string> {
  const headers: Record<string, string> = {}
  const given = section.take('headers')
  for (const [header, value] of Object.entries(isMap(given) ? given : {})) headers[header] = String(value)
  const authorization = section.text('authorization')
  if (authorization) headers['Authorization'] = authorization
  for (const [header, value] of Object.entries(headers)) {
    if (/\$\{\w+\}/.test(value) || (!isSecretName(header) && !looksLikeKey(value))) continue
    const variable = `${name.toUpperCase().replaceAll(/\W/g, '_')}_TOKEN`
    headers[header] =
      /^bearer /i.test(value) || header === 'Authorization' ? `Bearer \${${variable}}` : `\${${variable}}`
    section.note('headers', `${header} is a secret: export it as ${variable}`)
  }
  return headers
}

/** Names become part of tool names. */
function toName(text: string): string {
  const name = text.replaceAll(/[^\w.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  return name === '' || name === 'constructor' || name === 'prototype'
    ? `server-${name}`.replace(/-$/, '')
    : name
}
