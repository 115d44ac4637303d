import { type Client, ClientError } from '../../client/client.ts'
import { LARGEST_PICTURE_BYTES, MOST_PICTURES, type Picture } from '../../schema/picture.ts'
import { plural } from '../parts/words.ts'

/** A picture that goes with the next message of a chat. */
export interface Attachment {
  key: number
  name: string
  bytes: number
  /** Absent while it is on its way to the server. */
  picture?: Picture
}

export interface Attached {
  items: readonly Attachment[]
  /** What was not attached, and why. */
  refusals: readonly string[]
}

export type ChosenFile = Pick<File, 'name' | 'size' | 'arrayBuffer'>

const nothing: Attached = { items: [], refusals: [] }
/** Of a name, as commands take it. */
const longestName = 200

/** What is attached in each chat, kept by the server before it is sent. */
export class Attachments {
  #all: Readonly<Record<string, Attached>> = {}
  #keys = 0
  readonly #client: Pick<Client, 'keepPicture'>
  readonly #listeners = new Set<() => void>()

  constructor(client: Pick<Client, 'keepPicture'>) {
    this.#client = client
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  of(chat: string): Attached {
    return this.#all[chat] ?? nothing
  }

  /** One after the other: a browser has few connections to one server, and others need them, too. */
  async add(chat: string, files: readonly ChosenFile[]): Promise<void> {
    if (files.length === 0) return
    this.#change(chat, { refusals: [] })
    const room = Math.max(0, MOST_PICTURES - this.of(chat).items.length)
    const fitting = files.slice(0, room).map((file) => this.#announce(chat, file))
    this.#refuseRest(chat, files.slice(room))
    for (const item of fitting) if (item) await this.#keep(chat, item.file, item.key)
  }

  remove(chat: string, key: number): void {
    this.#change(chat, { items: this.of(chat).items.filter((item) => item.key !== key) })
  }

  dismiss(chat: string): void {
    this.#change(chat, { refusals: [] })
  }

  /** For a message that is sent now. */
  take(chat: string): Picture[] {
    const { items } = this.of(chat)
    this.#change(chat, nothing)
    return items.flatMap(({ picture }) => picture ?? [])
  }

  /** The message was refused. */
  putBack(chat: string, pictures: readonly Picture[]): void {
    const items = pictures.map((picture) => ({
      ...{ key: this.#keys++, name: picture.name ?? 'picture', bytes: picture.bytes, picture },
    }))
    this.#change(chat, { items: [...items, ...this.of(chat).items] })
  }

  /** Shows at once what is on its way. */
  #announce(chat: string, file: ChosenFile): { file: ChosenFile; key: number } | undefined {
    const name = file.name.slice(0, longestName) || 'picture'
    // Nobody waits for a file to be read that is known to be too large.
    if (file.size > LARGEST_PICTURE_BYTES) {
      const [size, most] = [(file.size / 1e6).toFixed(1), LARGEST_PICTURE_BYTES / 1e6]
      this.#refuse(chat, name, `it has ${size} MB; models take at most ${most} MB`)
      return undefined
    }
    const key = this.#keys++
    this.#change(chat, { items: [...this.of(chat).items, { key, name, bytes: file.size }] })
    return { file, key }
  }

  async #keep(chat: string, file: ChosenFile, key: number): Promise<void> {
    const item = this.of(chat).items.find((each) => each.key === key)
    if (!item) return
    try {
      const picture = { ...(await this.#client.keepPicture(await readBytes(file))), name: item.name }
      const items = this.of(chat).items.map((each) => (each.key === key ? { ...each, picture } : each))
      this.#change(chat, { items })
    } catch (error) {
      // Whoever took it off does not want to hear of it.
      if (!this.of(chat).items.some((each) => each.key === key)) return
      this.remove(chat, key)
      const why = error instanceof ClientError ? error.message : 'the server does not answer; add it again'
      this.#refuse(chat, item.name, why)
    }
  }

  #refuseRest(chat: string, rest: readonly ChosenFile[]): void {
    const why = `a message takes at most ${MOST_PICTURES} pictures`
    if (rest.length === 1) this.#refuse(chat, rest[0]?.name ?? '', why)
    else if (rest.length > 1) this.#add(chat, `${plural(rest.length, 'file')} are not attached: ${why}`)
  }

  #refuse(chat: string, name: string, why: string): void {
    this.#add(chat, `${name} is not attached: ${why}`)
  }

  #add(chat: string, refusal: string): void {
    this.#change(chat, { refusals: [...this.of(chat).refusals, refusal] })
  }

  #change(chat: string, change: Partial<Attached>): void {
    this.#all = { ...this.#all, [chat]: { ...this.of(chat), ...change } }
    for (const listener of this.#listeners) listener()
  }
}

async function readBytes(file: ChosenFile): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch {
    throw new ClientError(400, 'the file cannot be read')
  }
}
