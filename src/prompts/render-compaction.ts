import { describeKept } from '../core/session/describe-kept.ts'
import type { ModelMessage } from '../ports/model.ts'
import type { Compaction } from '../schema/compaction.ts'

/** What was kept word for word. Apart from the summary, because a later summary never replaces it. */
export const renderKept = ({ kept }: Pick<Compaction, 'kept'>): ModelMessage => ({
  role: 'user',
  text: describeKept(kept),
})

/** Stands for the exchanges that were summarised. */
export const renderChatSummary = ({
  summary,
  exchanges,
}: Pick<Compaction, 'summary' | 'exchanges'>): ModelMessage => ({
  role: 'user',
  text: `The first ${exchanges} exchanges of this chat are summarised here; the full record is kept.\n\n${summary}`,
})
