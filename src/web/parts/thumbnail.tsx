import { use, useState } from 'react'
import type { Picture } from '../../schema/picture.ts'
import { neutralize } from '../../view/neutralize.ts'
import { TranscriptToolsContext } from './transcript-tools.ts'

/** A picture in a box of one size, so that nothing moves when it arrives. A click shows it large. */
export function Thumbnail({ picture }: { picture: Picture }) {
  const { openPicture } = use(TranscriptToolsContext)
  const [lost, setLost] = useState(false)
  const name = pictureName(picture)
  if (lost) return <span className="thumbnail lost">{name} cannot be shown</span>
  return (
    <button type="button" className="thumbnail" title="Show it large" onClick={() => openPicture(picture)}>
      <img
        src={pictureAddress(picture)}
        alt={name}
        loading="lazy"
        decoding="async"
        onError={() => setLost(true)}
      />
    </button>
  )
}

export const pictureName = ({ name }: Pick<Picture, 'name'>): string => neutralize(name ?? 'Picture')

export const pictureAddress = ({ id }: Pick<Picture, 'id'>): string =>
  `/api/pictures/${encodeURIComponent(id)}`
