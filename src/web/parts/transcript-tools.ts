import { createContext } from 'react'
import type { TurnId } from '../../schema/ids.ts'
import type { Picture } from '../../schema/picture.ts'
import type { ClippedText } from '../../view/transcript-item.ts'

/** What cards can ask for beyond what they are given. */
export interface TranscriptTools {
  /** The whole of a text that is shown shortened. */
  whole: (source: ClippedText['source']) => Promise<string>
  /** Shows what a sub-agent said and did. */
  openChild: (turn: TurnId) => void
  /** Shows a picture large. */
  openPicture: (picture: Picture) => void
}

export const TranscriptToolsContext = createContext<TranscriptTools>({
  whole: () => Promise.reject(new Error('it cannot be read here')),
  openChild: () => undefined,
  openPicture: () => undefined,
})
