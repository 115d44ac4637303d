import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Picture } from '../../schema/picture.ts'
import { plural } from '../parts/words.ts'
import type { Attachments } from '../store/attachments.ts'
import { AddPictures } from './add-pictures.tsx'
import { AttachedPictures } from './attached-pictures.tsx'

/** What became of a message. */
export interface Sent {
  sent: boolean
  /** Where it was to go: a chat that was made for it, too. */
  chat: string | undefined
}

interface Props {
  /** Kept apart for every chat. */
  identity: string
  placeholder: string
  /** What is written goes to an agent at work. */
  guides: boolean
  disabled: boolean
  attachments: Attachments
  onSend: (text: string, pictures: readonly Picture[]) => Promise<Sent>
  onInterrupt?: () => void
}

/** Where a person writes. Enter sends, Shift+Enter breaks the line. */
export function Composer(props: Props) {
  const { identity, placeholder, guides, disabled, attachments, onSend, onInterrupt } = props
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const text = texts[identity] ?? ''
  const field = useRef<HTMLTextAreaElement>(null)
  const setText = (next: string): void => setTexts((all) => ({ ...all, [identity]: next }))
  useEffect(() => field.current?.focus(), [identity])
  const attached = attachments.of(identity)
  const shows = !guides && attached.items.length > 0
  const uploads = shows && attached.items.some(({ picture }) => !picture)
  const isReady = !disabled && !uploads && (text.trim() !== '' || shows)
  const send = async (): Promise<void> => {
    if (!isReady) return
    const words = text.trim()
    const pictures = guides ? [] : attachments.take(identity)
    setText('')
    const { sent, chat = identity } = await onSend(words, pictures)
    if (sent) return
    attachments.putBack(chat, pictures)
    setTexts((all) => ({ ...all, [chat]: [words, all[chat]].filter(Boolean).join('\n') }))
  }
  const addFiles = (files: readonly File[]): void => {
    void attachments.add(identity, files)
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      void send()
    }
    if (event.key === 'Escape' && onInterrupt) onInterrupt()
  }
  return (
    <>
      <AttachedPictures
        attached={attached}
        guides={guides}
        onRemove={(key) => {
          attachments.remove(identity, key)
          field.current?.focus()
        }}
        onDismiss={() => attachments.dismiss(identity)}
      />
      <form
        className="composer"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <span className="hidden-words" role="status">
          {attached.items.length > 0 && `${plural(attached.items.length, 'picture')} attached`}
        </span>
        <AddPictures onFiles={addFiles} />
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
        <button type="submit" className="button main" disabled={!isReady}>
          {guides ? 'Guide' : 'Send'}
        </button>
      </form>
    </>
  )
}
