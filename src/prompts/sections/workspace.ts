import type { PromptFacts } from '../system-prompt.ts'

export const workspace = ({ folder, platform }: Pick<PromptFacts, 'folder' | 'platform'>): string =>
  `Your folder is ${folder} (${platform}). Paths are relative to it; nothing outside it can be reached.`
