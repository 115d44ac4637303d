import { acpAgent } from '../adapters/acp/acp-agent.ts'
import type { Model } from '../ports/model.ts'
import type { BackendConfig } from '../schema/config.ts'
import { providers } from '../schema/providers.ts'
import { analyzeCommand } from '../tools/shell-analysis.ts'
import { Exit, exitCodes } from './exit-codes.ts'

/** A command-line agent as a backend. Relative programs start at the config's folder. */
export function loadAcp(backend: BackendConfig, base: string): Model {
  const { type, api_key_env, env = [], plan_mode, state_paths, timeouts = {} } = backend
  const command = backend.command ?? providers[type].command
  if (!command) throw new Exit(exitCodes.config, `an ${type} backend needs a command: the agent to start`)
  const { first_seconds, progress_seconds } = timeouts
  return acpAgent({
    command,
    cwd: base,
    env: api_key_env ? [...env, api_key_env] : env,
    plan_mode,
    state_paths,
    analyze: analyzeCommand,
    limits: {
      ...(first_seconds && { start_ms: first_seconds * 1000 }),
      ...(progress_seconds && { silence_ms: progress_seconds * 1000 }),
    },
  })
}
