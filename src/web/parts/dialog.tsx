import { type ReactNode, useLayoutEffect, useRef } from 'react'

interface Props {
  title: string
  onClose: () => void
  wide?: boolean
  children: ReactNode
}

/** A modal: the browser keeps the focus inside and gives it back, and Esc closes it. */
export function Dialog({ title, onClose, wide, children }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = element.current
    if (dialog && !dialog.open) dialog.showModal()
    // What is chosen already, rather than the way out.
    dialog?.querySelector<HTMLElement>('[data-first="true"]')?.focus()
    // Before it is taken out of the page: after that, a browser gives no focus back.
    return () => dialog?.close()
  }, [])
  return (
    <dialog ref={element} className={wide ? 'dialog wide' : 'dialog'} aria-label={title} onClose={onClose}>
      <header className="dialog-head">
        <h2>{title}</h2>
        <button type="button" className="button bare push" onClick={onClose} aria-label="Close">
          ✕
        </button>
      </header>
      <div className="dialog-body">{children}</div>
    </dialog>
  )
}
