import type { Failure } from '../../../schema/failure.ts'
import { type Provider, providers } from '../../../schema/providers.ts'

export interface KeySource {
  api_key_env?: string
  api_key_command?: readonly string[]
}

/** `from` says where the key came from, for people; it never holds the key. */
export type FoundKey = { key?: string; from?: string } | { failure: Failure }

type Environment = Record<string, string | undefined>

/**
 * The key of a backend: from the variable it names, from the command it names, or from its provider's usual variable.
 * Local servers and servers of the user's own may do without.
 */
export async function findKey(
  { api_key_env, api_key_command }: KeySource,
  provider: Provider,
  environment: Environment,
): Promise<FoundKey> {
  if (api_key_command) return runKeyCommand(api_key_command, environment)
  const names = api_key_env ? [api_key_env] : (provider.key_env ?? [])
  for (const name of names) {
    const key = readVariable(environment, name)
    if (key) return { key, from: `the environment variable ${name}` }
  }
  if (names.length === 0) return {}
  return {
    failure: {
      kind: 'credentials',
      message: `no key: the environment variable ${names.join(' or ')} is not set`,
      hint: `export ${names[0]} and start again, or name another source with api_key_env or api_key_command`,
    },
  }
}

export function readVariable(environment: Environment, name: string): string | undefined {
  return Object.hasOwn(environment, name) ? environment[name]?.trim() || undefined : undefined
}

const LONGEST_WAIT_MS = 60_000
const asked = new Map<string, Promise<FoundKey>>()

/** Runs once for each command, however many agents use it: a keychain may ask the person every time. */
function runKeyCommand(command: readonly string[], environment: Environment): Promise<FoundKey> {
  const id = JSON.stringify(command)
  let answer = asked.get(id)
  if (!answer) {
    answer = execute(command, environment)
    asked.set(id, answer)
  }
  return answer
}

async function execute(
  [program = '', ...args]: readonly string[],
  environment: Environment,
): Promise<FoundKey> {
  const { spawn } = await import('node:child_process')
  const from = `the command ${program}`
  const fail = (what: string): FoundKey => ({
    failure: {
      kind: 'credentials',
      message: `no key: ${from} ${what}`,
      hint: 'api_key_command must print the key and nothing else; try it in a terminal',
    },
  })
  return new Promise((resolve) => {
    // Its errors go to the person, who may have to unlock something; what it prints is seen by nobody else.
    const child = spawn(program, args, {
      stdio: ['inherit', 'pipe', 'inherit'],
      env: withoutKeys(environment),
      timeout: LONGEST_WAIT_MS,
    })
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
    child.on('error', ({ message }) => resolve(fail(`cannot be run: ${message}`)))
    child.on('close', (code, signal) => {
      const key = printed.trim()
      if (code !== 0) resolve(fail(signal ? `was ended by ${signal}` : `failed with exit code ${code}`))
      else if (!key || /\s/.test(key)) resolve(fail(key ? 'printed more than a key' : 'printed nothing'))
      else resolve({ key, from })
    })
  })
}

/** Other providers' keys are none of its business. */
function withoutKeys(environment: Environment): Environment {
  const names = new Set(Object.values(providers).flatMap(({ key_env = [] }) => key_env))
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.has(name)))
}
