import type { ProjectContext } from '../ports/project.ts'
import type { ChatMode } from '../schema/chat-config.ts'
import { actMode } from './sections/act-mode.ts'
import { coreBehaviors } from './sections/core-behaviors.ts'
import { planMode } from './sections/plan-mode.ts'
import { projectInstructions } from './sections/project-instructions.ts'
import { workspace } from './sections/workspace.ts'

export interface PromptFacts {
  mode: ChatMode
  folder: string
  platform: string
  /** From the agent's config. */
  system_message?: string
  /** A sub-agent reports to another agent, not to a person. */
  nested?: boolean
  /** What the project asks for, once the person trusts it. */
  project?: ProjectContext
}

/** The stable head of every request: nothing in it may change from one request of a turn to the next. */
export function systemPrompt(facts: PromptFacts): string {
  const mode = facts.mode === 'Plan' && !facts.nested ? planMode : facts.mode === 'Act' ? actMode : ''
  return [
    facts.system_message ?? '',
    coreBehaviors(facts),
    workspace(facts),
    projectInstructions(facts.project),
    mode,
  ]
    .filter(Boolean)
    .join('\n\n')
}
