import type { ChatView } from './chat-view.ts'
import { setKey } from './keyed.ts'
import type { RunView } from './run-view.ts'

/** Keeps a run; the chat shows the newest, whatever order their logs were read in. */
export function putRun(view: ChatView, run: RunView): ChatView {
  const isShown = !view.run || view.run.run_id === run.run_id || view.run.started_at < run.started_at
  return {
    ...view,
    run: isShown ? run : view.run,
    inner: { ...view.inner, runs: setKey(view.inner.runs, run.run_id, run) },
  }
}
