import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A program that answers one prompt and ends. */
export interface Client {
  name: string
  program: string[]
  /** Arguments for one prompt; absent: it only starts and ends. */
  ask?: (prompt: string) => string[]
  env: Record<string, string>
  /** Written to its home before the first start. */
  files: Record<string, string>
  /** Goes before PATH. */
  path?: string
}

const KEY = 'sk-none-000000000000000000000000000000000000'

/** Ourselves, the floor, and every peer that is installed: below `$PEERS` or on the PATH. */
export function findClients(address: string, root: string, workspace: string): Client[] {
  return [...ours(address, root), ...peers(address, workspace)]
}

function ours(address: string, root: string): Client[] {
  const backend = `{ type: openai_compatible, base_url: '${address}/v1', model: m, api_key_env: MODEL_KEY }`
  const conclave = (name: string, more: string): Client => ({
    name,
    program: [process.env['CONCLAVE'] ?? join(root, 'bin/conclave')],
    ask: (prompt) => ['-p', prompt, '--permission-mode', 'auto', '--on-pending', 'approve'],
    env: { MODEL_KEY: KEY },
    files: { '.config/conclave/config.yaml': `agents:\n  - id: a\n    backend: ${backend}\n${more}` },
  })
  return [
    conclave('conclave', ''),
    conclave('conclave, no sandbox', 'execution: { sandbox: off }\n'),
    { name: 'node -e 0', program: [process.execPath, '-e', '0'], env: {}, files: {} },
    {
      name: 'floor',
      program: [process.execPath, join(import.meta.dirname, 'floor.mjs')],
      ask: (prompt) => [prompt],
      env: { FLOOR_URL: `${address}/v1` },
      files: {},
    },
  ]
}

function peers(address: string, workspace: string): Client[] {
  const newest = findFolder('node26')
  const known: (Omit<Client, 'program'> & { program: string })[] = [
    {
      name: 'codex',
      program: 'codex',
      ask: (prompt) => ['exec', '--dangerously-bypass-approvals-and-sandbox', prompt],
      env: { MODEL_KEY: KEY },
      files: {
        '.codex/config.toml': [
          'model = "m"\nmodel_provider = "local"\ncheck_for_update_on_startup = false',
          `[model_providers.local]\nname = "local"\nbase_url = "${address}/v1"\nwire_api = "responses"\nenv_key = "MODEL_KEY"`,
          `[projects."${workspace}"]\ntrust_level = "trusted"\n[analytics]\nenabled = false\n`,
        ].join('\n'),
      },
    },
    {
      name: 'claude',
      program: 'claude',
      ask: (prompt) => ['-p', '--dangerously-skip-permissions', prompt],
      env: {
        ANTHROPIC_BASE_URL: address,
        ANTHROPIC_API_KEY: KEY,
        DISABLE_AUTOUPDATER: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        IS_SANDBOX: '1',
      },
      files: {
        '.claude.json': JSON.stringify({
          hasCompletedOnboarding: true,
          bypassPermissionsModeAccepted: true,
          customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
        }),
      },
    },
    {
      name: 'pi',
      program: 'pi',
      ask: (prompt) => ['-p', prompt],
      env: { PI_OFFLINE: '1', PI_TELEMETRY: '0' },
      files: {
        '.pi/agent/models.json': JSON.stringify({
          providers: {
            local: {
              baseUrl: `${address}/v1`,
              api: 'openai-completions',
              apiKey: KEY,
              models: [
                {
                  id: 'm',
                  name: 'm',
                  reasoning: false,
                  input: ['text'],
                  contextWindow: 400_000,
                  maxTokens: 32_000,
                },
              ],
            },
          },
        }),
        '.pi/agent/settings.json': JSON.stringify({ defaultProvider: 'local', defaultModel: 'm' }),
      },
      ...(newest && { path: join(newest, 'node_modules/.bin') }),
    },
  ]
  return known.flatMap(({ program, ...client }) => {
    const found = findProgram(program)
    return found ? [{ ...client, program: [found] }] : []
  })
}

function findProgram(name: string): string | undefined {
  const installed = peerFolders().map((folder) => join(folder, 'node_modules/.bin', name))
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name))
  return [...installed, ...onPath].find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

const findFolder = (name: string): string | undefined =>
  peerFolders().find((folder) => folder.endsWith(`/${name}`))

function peerFolders(): string[] {
  const folder = process.env['PEERS']
  return folder ? readdirSync(folder).map((name) => join(folder, name)) : []
}
