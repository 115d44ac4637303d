import { neutralize } from '../../view/neutralize.ts'
import { Thumbnail } from '../parts/thumbnail.tsx'
import { fileSize } from '../parts/words.ts'
import type { Attached, Attachment } from '../store/attachments.ts'

interface Props {
  attached: Attached
  /** What is written now goes to an agent at work, which is told words only. */
  guides: boolean
  onRemove: (key: number) => void
  onDismiss: () => void
}

/** What goes with the next message, and what does not. */
export function AttachedPictures({ attached: { items, refusals }, guides, onRemove, onDismiss }: Props) {
  return (
    <>
      {refusals.length > 0 && (
        <div className="notice bad" role="alert">
          <ul className="plain-list">
            {refusals.map((refusal, index) => (
              <li key={index}>{neutralize(refusal)}</li>
            ))}
          </ul>
          <button
            type="button"
            className="button bare push"
            aria-label="Dismiss what was refused"
            onClick={onDismiss}
          >
            ✕
          </button>
        </div>
      )}
      {items.length > 0 && (
        <ul className="attachments" aria-label="Attached pictures">
          {items.map((item) => (
            <Item key={item.key} item={item} onRemove={() => onRemove(item.key)} />
          ))}
        </ul>
      )}
      {items.length > 0 && guides && (
        <p className="muted small">Pictures go with your next message, not with guidance.</p>
      )}
    </>
  )
}

function Item({ item: { name, bytes, picture }, onRemove }: { item: Attachment; onRemove: () => void }) {
  const shown = neutralize(name)
  return (
    <li className="attachment">
      {picture ? (
        <Thumbnail picture={picture} />
      ) : (
        <span className="thumbnail">
          <progress aria-label={`Uploading ${shown}`} />
        </span>
      )}
      <span className="attachment-words">
        <span className="attachment-name" title={shown}>
          {shown}
        </span>
        <span className="muted">{picture ? fileSize(bytes) : 'uploading'}</span>
      </span>
      <button type="button" className="button bare" aria-label={`Remove ${shown}`} onClick={onRemove}>
        ✕
      </button>
    </li>
  )
}
