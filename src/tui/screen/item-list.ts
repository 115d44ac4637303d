import { itemAt, itemCount } from '../../view/transcript.ts'
import type { RunView } from '../../view/run-view.ts'
import type { Scene } from './scene.ts'
import type { ItemList } from './transcript-pane.ts'

/** The transcript, and below it what is being written. */
export function itemList({ transcript, live, outputOf, runOf }: Scene): ItemList {
  const stored = itemCount(transcript)
  return {
    count: stored + live.length,
    at: (place) => (place < stored ? itemAt(transcript, place) : live[place - stored]),
    more(item) {
      if (item.kind !== 'tool_call') return undefined
      const run = runOf(item)
      if (run) return { run, key: describeRun(run) }
      const output = item.status === 'running' ? outputOf(item) : ''
      return output ? { output, key: `${output.length}` } : undefined
    },
  }
}

const describeRun = ({ run_id, status, stage, round, answers, votes }: RunView): string =>
  [run_id, status, stage, round, answers, votes].join(' ')
