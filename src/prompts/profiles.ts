import type { ProjectContext, ProjectMemory } from '../ports/project.ts'
import type { ChatMode } from '../schema/chat-config.ts'
import type { Reach } from '../schema/reach.ts'
import { actMode } from './sections/act-mode.ts'
import { agentIdentity } from './sections/agent-identity.ts'
import { broadcast } from './sections/broadcast.ts'
import { type CoordinationFacts, coordination } from './sections/coordination.ts'
import { coreBehaviors } from './sections/core-behaviors.ts'
import { type OrchestratorFacts, interactiveOrchestrator } from './sections/interactive-orchestrator.ts'
import { memoryFilesystem } from './sections/memory-filesystem.ts'
import { modelGuidance } from './sections/model-guidance.ts'
import { planMode } from './sections/plan-mode.ts'
import { type PresentationFacts, presentation } from './sections/presentation.ts'
import { projectInstructions } from './sections/project-instructions.ts'
import { skillList } from './sections/skills.ts'
import { taskPlanning } from './sections/task-planning.ts'
import { votingGuidance } from './sections/voting-guidance.ts'
import { workspace } from './sections/workspace.ts'

/** In which role an agent is asked, with what only that role needs to know. */
export type Profile =
  | { name: 'chat' }
  | { name: 'interactive'; orchestrator: OrchestratorFacts; append_system_prompt?: string }
  | { name: 'coordination'; coordination: CoordinationFacts }
  | { name: 'presentation'; presentation: PresentationFacts }

export interface PromptFacts {
  mode: ChatMode
  folder: string
  /** The folder alone, writable, if absent. */
  reach?: Reach
  platform: string
  /** From the agent's config. */
  identity?: string
  system_message?: string
  /** A sub-agent reports to another agent, not to a person. */
  nested?: boolean
  /** What the project asks for, once the person trusts it. */
  project?: ProjectContext
  /** What earlier work noted, in a folder the person trusts. */
  memory?: ProjectMemory
  /** Names of the tools it is offered. */
  tools?: readonly string[]
  /** Provider and model. */
  model?: string
}

/**
 * The sections of a prompt in their order; empty ones do not apply. What differs between the agents of a team comes
 * last, so that the prompts of all of them begin with the same bytes and provider caches hit.
 */
export function sectionsOf(facts: PromptFacts, profile: Profile): string[] {
  const { instructions = [], skills = [] } = facts.project ?? {}
  const has = (tool: string): boolean => facts.tools?.includes(tool) ?? false
  const standing = [projectInstructions(instructions), skillList(skills), memoryFilesystem(facts.memory)]
  const planning = has('todo') ? taskPlanning : ''
  const own = [workspace(facts), modelGuidance(facts.model ?? ''), agentIdentity(facts)]
  switch (profile.name) {
    case 'chat': {
      const audience = facts.nested ? 'agent' : 'person'
      return [agentIdentity(facts), coreBehaviors(audience), workspace(facts), ...standing, modeOf(facts)]
    }
    case 'interactive':
      return [
        agentIdentity(facts),
        coreBehaviors('person'),
        has('launch_run') ? interactiveOrchestrator(profile.orchestrator) : '',
        workspace(facts),
        ...standing,
        planning,
        modelGuidance(facts.model ?? ''),
        modeOf(facts),
        profile.append_system_prompt ?? '',
      ]
    case 'coordination':
      return [
        coreBehaviors('team'),
        coordination(profile.coordination),
        votingGuidance(profile.coordination),
        profile.coordination.ask_others ? broadcast : '',
        ...standing,
        planning,
        ...own,
      ]
    case 'presentation':
      return [coreBehaviors('person'), presentation(profile.presentation), ...standing, planning, ...own]
  }
}

/** A sub-agent is not told to write plans for a person. */
function modeOf({ mode, nested }: PromptFacts): string {
  if (mode === 'Act') return actMode
  return nested ? '' : planMode
}
