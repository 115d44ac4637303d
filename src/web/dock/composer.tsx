import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

interface Props {
  /** Kept apart for every chat. */
  identity: string
  placeholder: string
  action: string
  disabled: boolean
  onSend: (text: string) => Promise<boolean>
  onInterrupt?: () => void
}

/** Where a person writes. Enter sends, Shift+Enter breaks the line. */
export function Composer({ identity, placeholder, action, disabled, onSend, onInterrupt }: Props) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const text = texts[identity] ?? ''
  const field = useRef<HTMLTextAreaElement>(null)
  const setText = (next: string): void => setTexts((all) => ({ ...all, [identity]: next }))
  useEffect(() => field.current?.focus(), [identity])
  const send = async (): Promise<void> => {
    const words = text.trim()
    if (!words || disabled) return
    setText('')
    if (!(await onSend(words))) setText(words)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      void send()
    }
    if (event.key === 'Escape' && onInterrupt) onInterrupt()
  }
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <textarea
        ref={field}
        className="field"
        rows={1}
        aria-label="Message"
        placeholder={placeholder}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
      />
      {onInterrupt && (
        <button type="button" className="button" onClick={onInterrupt}>
          Interrupt
        </button>
      )}
      <button type="submit" className="button main" disabled={disabled || text.trim() === ''}>
        {action}
      </button>
    </form>
  )
}
