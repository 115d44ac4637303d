import { type ClipboardEvent, type DragEvent, useEffect, useState } from 'react'

type Handlers = Record<'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void> & {
  onPaste: (event: ClipboardEvent) => void
}

/** Takes files that are dropped on an element or pasted in it. */
export function useFileDrop(onFiles: (files: readonly File[]) => void): {
  /** Files are held over it. */
  over: boolean
  handlers: Handlers
} {
  const [over, setOver] = useState(false)
  useEffect(() => {
    // Beside it, a browser would leave the page for the file.
    addEventListener('dragover', refuseElsewhere)
    addEventListener('drop', refuseElsewhere)
    return () => {
      removeEventListener('dragover', refuseElsewhere)
      removeEventListener('drop', refuseElsewhere)
    }
  }, [])
  const handlers: Handlers = {
    onDragOver: (event) => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setOver(true)
    },
    onDragLeave: ({ currentTarget, relatedTarget }) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
    },
    onDrop: (event) => {
      setOver(false)
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      onFiles([...event.dataTransfer.files])
    },
    onPaste: (event) => {
      const files = [...event.clipboardData.files]
      if (files.length === 0 || meansText(event.clipboardData, files)) return
      event.preventDefault()
      onFiles(files)
    },
  }
  return { over, handlers }
}

const hasFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') ?? false

function refuseElsewhere(event: globalThis.DragEvent): void {
  if (event.defaultPrevented || !event.dataTransfer || !hasFiles(event.dataTransfer)) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}

/** Cells of a table are copied with a picture of them; a copied file comes with its name. */
function meansText(data: DataTransfer, files: readonly File[]): boolean {
  const text = data.getData('text/plain').trim()
  return text !== '' && text.split(/\r?\n/u).some((line) => !files.some(({ name }) => line.endsWith(name)))
}
