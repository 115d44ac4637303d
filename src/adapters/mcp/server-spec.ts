import { resolve } from 'node:path'
import type { McpServerConfig } from '../../schema/config.ts'
import { childEnvironment } from '../shell/child-environment.ts'

/** A server with everything looked up that its config only names. */
export type ServerSpec = {
  name: string
  read_only_tools: readonly string[]
  connect_timeout_ms: number
  call_timeout_ms: number
} & (
  | { kind: 'stdio'; command: string; args: string[]; cwd: string; env: Record<string, string> }
  | { kind: 'http'; url: string; headers: Record<string, string> }
)

export interface SpecContext {
  /** Where relative paths start. */
  base: string
  /** Where a server runs when its config does not say. */
  folder: string
  /** Our environment; only what the config names is looked up in it. */
  environment: Record<string, string | undefined>
  /** Variables that may not be handed on, because the config comes from a project. */
  withheld?: ReadonlySet<string>
}

const CONNECT_MS = 10_000
const LONGEST_CONNECT_MS = 30_000
const CALL_MS = 60_000

/** Throws `UnusableServer` when something named is not there. */
export function readSpec(name: string, config: McpServerConfig, context: SpecContext): ServerSpec {
  const { timeout_ms } = config
  const common = {
    name,
    read_only_tools: config.read_only_tools ?? [],
    connect_timeout_ms: Math.min(timeout_ms ?? CONNECT_MS, LONGEST_CONNECT_MS),
    call_timeout_ms: timeout_ms ?? CALL_MS,
  }
  if (config.url !== undefined) {
    return { ...common, kind: 'http', url: config.url, headers: expandAll(config.headers ?? {}, context) }
  }
  if (config.command === undefined) throw new UnusableServer('it has neither a command nor a url')
  return {
    ...common,
    kind: 'stdio',
    command: config.command,
    args: config.args ?? [],
    cwd: config.cwd === undefined ? context.folder : resolve(context.base, config.cwd),
    env: { ...childEnvironment(context.environment), ...readEnvironment(config.env, context) },
  }
}

/** The config asks for something that cannot be done; the message says what. */
export class UnusableServer extends Error {
  override readonly name = 'UnusableServer'
}

function readEnvironment(env: McpServerConfig['env'], context: SpecContext): Record<string, string> {
  if (!env) return {}
  const named = Array.isArray(env)
    ? Object.fromEntries(env.map((variable) => [variable, `\${${variable}}`]))
    : env
  const bad = Object.keys(named).find((variable) => !/^[A-Za-z_]\w*$/.test(variable))
  if (bad !== undefined) throw new UnusableServer(`${JSON.stringify(bad)} is not the name of a variable`)
  return expandAll(named, context)
}

function expandAll(values: Record<string, string>, context: SpecContext): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, expand(value, context)]))
}

/** Puts variables of our environment in for `${NAME}` and `${NAME:-otherwise}`. */
function expand(text: string, { environment, withheld }: SpecContext): string {
  return text.replaceAll(
    /\$\{([A-Za-z_]\w*)(?::-([^{}]*))?\}/g,
    (_, variable: string, otherwise?: string) => {
      if (withheld?.has(variable)) {
        throw new UnusableServer(
          `a project may not have ${variable}; to pass it on, put the server into your own config`,
        )
      }
      const value = Object.hasOwn(environment, variable) ? environment[variable] : undefined
      if (value !== undefined) return value
      if (otherwise !== undefined) return otherwise
      throw new UnusableServer(
        `it needs the environment variable ${variable}, which is not set; export it and start again`,
      )
    },
  )
}
