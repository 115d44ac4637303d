import { useEffect, useState } from 'react'
import type { ChatView } from '../../view/chat-view.ts'

/** What is being done, and for how long. */
export function StatusLine({ view }: { view: ChatView }) {
  const work = view.under_way
  if (!work) return null
  const waits = view.pendings.length > 0
  return (
    <p className="status-line" role="status">
      <span>{waits ? 'waiting for you' : describe(view)}</span>
      <Elapsed since={work.since} />
      <span className="push">Esc interrupts</span>
    </p>
  )
}

function describe({ under_way: work, run }: ChatView): string {
  if (!work) return ''
  if (work.kind === 'run') {
    const busy = run?.agents.filter(({ turn_id }) => turn_id !== null).length ?? 0
    const told = run
      ? `round ${run.round} · answers ${run.answers}/${run.agents.length} · votes ${run.votes} · `
      : ''
    return `${work.planning ? 'planning · ' : ''}${told}${busy} ${busy === 1 ? 'agent' : 'agents'} working`
  }
  if (!work.plan) return `${work.agent_id} · ${work.phase}${work.iteration > 1 ? ` ${work.iteration}` : ''}`
  const { plan, steps } = work.plan
  const done = steps.filter(
    ({ status }) => status === 'done' || status === 'skipped' || status === 'failed',
  ).length
  const step = Math.min(done + 1, plan.plan.steps.length)
  return `Executing Plan · ${plan.directory} · step ${step} of ${plan.plan.steps.length}`
}

function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1000))
  const two = (value: number): string => String(value).padStart(2, '0')
  return (
    <span aria-hidden="true">
      {two(Math.floor(seconds / 60))}:{two(seconds % 60)}
    </span>
  )
}
