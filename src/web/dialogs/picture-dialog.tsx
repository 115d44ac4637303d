import type { Picture } from '../../schema/picture.ts'
import { Dialog } from '../parts/dialog.tsx'
import { pictureAddress, pictureName } from '../parts/thumbnail.tsx'
import { fileSize } from '../parts/words.ts'

interface Props {
  picture: Picture
  onClose: () => void
}

/** One picture, as large as the page allows. */
export function PictureDialog({ picture, onClose }: Props) {
  const name = pictureName(picture)
  return (
    <Dialog title={name} onClose={onClose}>
      <img className="large-picture" src={pictureAddress(picture)} alt={name} />
      <p className="muted small">
        {picture.media_type} · {fileSize(picture.bytes)}
      </p>
    </Dialog>
  )
}
