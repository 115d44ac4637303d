import { useRef } from 'react'
import type { PictureType } from '../../schema/picture.ts'

const types = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] satisfies PictureType[]

/** Lets the person choose pictures from files. */
export function AddPictures({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button
        type="button"
        className="button add-pictures"
        aria-label="Add pictures"
        title="Add pictures; pasting and dropping them works, too"
        onClick={() => input.current?.click()}
      >
        <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" focusable="false">
          <g fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round">
            <rect x="2" y="3.5" width="16" height="13" rx="2" />
            <circle cx="7" cy="8" r="1.5" />
            <path d="M2.5 15 8 10.5l3 2.5 3-3 4 4" />
          </g>
        </svg>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={types.join(',')}
        aria-label="Pictures"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // So that the same file can be chosen again.
          target.value = ''
        }}
      />
    </>
  )
}
