import { useId, useState } from 'react'
import type { Pending, PendingAnswer } from '../../schema/pending.ts'
import { neutralize } from '../../view/neutralize.ts'
import { pendingCard } from '../../view/pending-card.ts'
import { Markdown } from '../markdown/markdown.tsx'

type Asked = Extract<Pending, { kind: 'question' | 'guidance' }>

interface Props {
  pending: Asked
  answer?: PendingAnswer
  answeredBy?: string
  agent?: string
  /** Present where it can be answered. */
  onAnswer?: (answer: PendingAnswer) => void
}

/** A question. Its severity decides how much it stands out; a critical one has no default. */
export function QuestionMessageCard({ pending, answer, answeredBy, agent, onAnswer }: Props) {
  const { severity, title, lines, choices, prominent, default: fallback } = pendingCard(pending)
  const [first = '', ...rest] = lines
  return (
    <section
      className={`card question ${severity} ${answer ? 'over' : ''} ${onAnswer ? 'asks' : ''}`}
      data-card="QuestionMessageCard"
      data-severity={severity}
      {...(prominent && !answer && onAnswer && { role: 'alert' })}
    >
      <header className="card-head">
        <span className="chip severity">
          {prominent && <span aria-hidden="true">⚠</span>} {title}
        </span>
        {agent && <span className="muted small">{agent}</span>}
      </header>
      <div className="asked">
        <Markdown text={neutralize(first)} />
      </div>
      {rest.map((line, index) => (
        <div key={index} className="muted">
          <Markdown text={neutralize(line)} />
        </div>
      ))}
      {answer ? (
        <p className="answered">
          <span aria-hidden="true">✔</span> {answerWords(pending, answer)}
          {answeredBy && <span className="muted small"> answered by {answeredBy}</span>}
        </p>
      ) : onAnswer ? (
        <Choices pending={pending} choices={choices} fallback={fallback} onAnswer={onAnswer} />
      ) : (
        <p className="muted small">waiting for your answer below</p>
      )}
    </section>
  )
}

interface ChoicesProps {
  pending: Asked
  choices: { value: string; label: string; description?: string }[]
  fallback: string | undefined
  onAnswer: (answer: PendingAnswer) => void
}

function Choices({ pending, choices, fallback, onAnswer }: ChoicesProps) {
  const [text, setText] = useState('')
  const id = useId()
  const choose = (value: string) => () => onAnswer(chosen(pending, value, text))
  return (
    <>
      <div className="options" role="group" aria-label="Answers">
        {choices.map(({ value, label, description }) => (
          <button
            key={value}
            type="button"
            className={value === fallback ? 'option usual' : 'option'}
            onClick={choose(value)}
          >
            <span>
              {neutralize(label)}
              {value === fallback && <span className="muted small"> (default)</span>}
            </span>
            {description && <span className="muted small">{neutralize(description)}</span>}
          </button>
        ))}
      </div>
      <form
        className="other"
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim()) onAnswer(inOtherWords(pending, text.trim()))
        }}
      >
        <label className="hidden-words" htmlFor={id}>
          Answer in other words
        </label>
        <input
          id={id}
          className="field"
          placeholder="or answer in other words"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit" className="button" disabled={text.trim() === ''}>
          Answer
        </button>
      </form>
    </>
  )
}

function chosen(pending: Asked, value: string, text: string): PendingAnswer {
  if (pending.kind === 'question') return { kind: 'question', value }
  return value === 'stop'
    ? { kind: 'guidance', decision: 'stop' }
    : { kind: 'guidance', decision: 'continue', text: text.trim() }
}

const inOtherWords = (pending: Asked, text: string): PendingAnswer =>
  pending.kind === 'question'
    ? { kind: 'question', value: '', text }
    : { kind: 'guidance', decision: 'continue', text }

function answerWords(pending: Asked, answer: PendingAnswer): string {
  if (answer.kind === 'question') {
    const option = pending.kind === 'question' && pending.options.find(({ value }) => value === answer.value)
    return answer.text ?? (option ? option.label : answer.value)
  }
  if (answer.kind !== 'guidance') return ''
  return answer.decision === 'stop' ? 'stop here' : answer.text || 'go on'
}
