import type { ContextPath } from '../../schema/reach.ts'
import type { PromptFacts } from '../profiles.ts'

/** Where the agent works. It differs from agent to agent, so in a team it belongs to the end of the prompt. */
export function workspace({
  folder,
  platform,
  reach,
  mode,
}: Pick<PromptFacts, 'folder' | 'platform' | 'reach'> & Partial<Pick<PromptFacts, 'mode'>>): string {
  const where = `Your folder is ${folder} (${platform}).`
  if (!reach) return `${where} Paths are relative to it; nothing outside it can be reached.`
  const changes = reach.root_access === 'read' ? ' It can be read, not changed.' : ''
  const listed = reach.context.filter(({ unlisted }) => !unlisted)
  if (listed.length === 0)
    return `${where}${changes} Paths are relative to it; nothing outside it can be reached.`
  return [
    `${where}${changes} Paths are relative to it. Besides, only these can be reached, by their absolute paths; the narrowest one decides:`,
    ...listed.map((context) => `- ${describe(context, mode)}`),
  ].join('\n')
}

function describe({ path, permission, protected_paths }: ContextPath, mode: PromptFacts['mode'] | undefined) {
  if (permission === 'read' || mode === 'Plan') return `${path} (read only)`
  const except = protected_paths.length > 0 ? `, but only read: ${protected_paths.join(', ')}` : ''
  return `${path} (read and write${except})`
}
