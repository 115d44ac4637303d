import { type Profile, type PromptFacts, sectionsOf } from './profiles.ts'

/** The stable head of every request: nothing in it may change from one request of a turn to the next. */
export function systemPrompt(facts: PromptFacts, profile: Profile = { name: 'chat' }): string {
  return sectionsOf(facts, profile).filter(Boolean).join('\n\n')
}
