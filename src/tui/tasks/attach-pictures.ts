import { setTimeout as sleep } from 'node:timers/promises'
import { basename } from 'node:path'
import { pictureType } from '../../core/picture-type.ts'
import { MOST_PICTURES, type Picture } from '../../schema/picture.ts'
import { describePicture } from '../../view/describe-picture.ts'
import type { App } from '../app.ts'
import { handleInput } from '../handle-input.ts'
import { type PastedFile, type PictureSource, pastedPictures } from '../input/pasted-pictures.ts'
import { readKey } from '../input/read-key.ts'
import { readPicture } from '../input/read-picture.ts'

/** A server that has not taken a picture by then is not waited for any longer. */
const PATIENCE_MS = 30_000

/**
 * Puts pictures into the message: their tokens stand at the cursor, or the text that was pasted where they are refused.
 * What was typed meanwhile follows.
 */
export async function attachPictures(app: App, source: PictureSource): Promise<void> {
  const waiting = pendingOf(app)
  try {
    await take(app, source)
  } catch (error) {
    app.fail(error)
  }
  const { saying } = app.ui
  const held = app.editor.held ?? []
  app.editor.held = undefined
  const refused = saying?.tone === 'error'
  for (const data of held) {
    // Whoever pressed Enter did not know yet that the picture stays behind.
    if (refused && sends.has(readKey(data).name)) continue
    // A key that was pressed before a card appeared is no answer to it.
    if (pendingOf(app) === waiting) handleInput(app, data)
    else app.editor.handleInput(data)
  }
  if (refused) app.dispatch({ type: 'say', ...saying })
  app.refresh()
}

const sends: ReadonlySet<string> = new Set(['enter', 'alt+enter'])

const pendingOf = ({ view }: App): string | undefined => view.pendings[0]?.pending.id

async function take(app: App, source: PictureSource): Promise<void> {
  switch (source.kind) {
    case 'files':
      return takeFiles(app, source.files, source.text)
    case 'data':
      return takeBytes(app, Buffer.from(source.base64, 'base64'), 'pasted', source.text)
    case 'clipboard': {
      const { readClipboard } = await import('../input/clipboard.ts')
      const found = await readClipboard()
      if (found.kind === 'nothing') return app.dispatch({ type: 'say', text: found.why })
      if (found.kind === 'picture') return takeBytes(app, found.bytes, 'clipboard', '')
      const named = pastedPictures(found.text)
      return named ? take(app, named) : app.editor.paste(found.text)
    }
  }
}

async function takeFiles(app: App, files: readonly PastedFile[], text: string): Promise<void> {
  const { words, kept, refused } = await keepFiles(app, files)
  if (kept.length > 0) app.editor.insertWords(words)
  else app.editor.paste(text)
  tell(app, kept, refused)
}

/** `words`: a token for each file, or its text where it is refused. */
export async function keepFiles(
  app: App,
  files: readonly PastedFile[],
): Promise<{ words: string; kept: Picture[]; refused: string[] }> {
  const folders = [app.beginning.folder, process.cwd()]
  const words: string[] = []
  const kept: Picture[] = []
  const refused: string[] = []
  for (const file of files) {
    const name = basename(file.path.replaceAll('\\', '/'))
    try {
      const bytes = await readPicture(file.path, folders)
      if (!bytes && file.certain) throw new Error('there is no such file')
      const picture = bytes && { ...(await keep(app, bytes, words)), name }
      words.push(picture ? app.editor.pictures.add(picture) : file.text)
      if (picture) kept.push(picture)
    } catch (error) {
      words.push(file.text)
      refused.push(`${name} is not attached: ${reasonOf(error)}`)
    }
  }
  return { words: words.join(' '), kept, refused }
}

async function takeBytes(app: App, bytes: Uint8Array, from: string, text: string): Promise<void> {
  try {
    const name = `${from}.${pictureType(bytes)?.slice('image/'.length) ?? ''}`
    const picture = { ...(await keep(app, bytes, [])), name }
    app.editor.insertWords(app.editor.pictures.add(picture))
    tell(app, [picture], [])
  } catch (error) {
    if (text) app.editor.paste(text)
    tell(app, [], [`The picture is not attached: ${reasonOf(error)}`])
  }
}

/** Kept before its token is shown: what stands in the input can be sent. */
async function keep(app: App, bytes: Uint8Array, words: readonly string[]): Promise<Picture> {
  const { host, editor } = app
  if (!host) throw new Error('the program has not started yet')
  const there = editor.pictures.placesIn([editor.getExpandedText(), ...words].join(' ')).length
  if (there >= MOST_PICTURES) throw new Error(`a message takes at most ${MOST_PICTURES} pictures`)
  const tooLong = sleep(PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new Error('it took too long to store')
  })
  return Promise.race([host.client.keepPicture(bytes), tooLong])
}

function tell(app: App, kept: readonly Picture[], refused: readonly string[]): void {
  if (refused.length > 0) app.dispatch({ type: 'say', text: refused.join('; '), tone: 'error' })
  else if (kept.length > 0)
    app.dispatch({ type: 'say', text: `attached: ${kept.map(describePicture).join(', ')}` })
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
