import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** What goes away with the focus inside hands it to the input below, so that a keyboard is never nowhere. */
export function useFocusBack(element: RefObject<HTMLElement | null>): void {
  const dock = useRef<Element>(undefined)
  useLayoutEffect(() => {
    const shown = element.current
    return () => {
      dock.current = shown?.contains(document.activeElement)
        ? (shown.closest('.dock') ?? undefined)
        : undefined
    }
  }, [element])
  // By then it is out of the page, and a dialog in it no longer holds the focus.
  useEffect(() => () => dock.current?.querySelector<HTMLElement>('.composer textarea')?.focus(), [])
}
