import { fileURLToPath } from 'node:url'
import { pictureType } from '../../core/picture-type.ts'

/** Where pictures for a message come from. `text`: as it was pasted, in case they are refused. */
export type PictureSource =
  | { kind: 'files'; files: PastedFile[]; text: string }
  | { kind: 'data'; base64: string; text: string }
  | { kind: 'clipboard' }

export interface PastedFile {
  /** As it was pasted. */
  text: string
  path: string
  /** It can be nothing but a path; else it is one only if there is such a file. */
  certain: boolean
}

const LONGEST_PATHS = 20_000
const LONGEST_DATA = 20_000_000
/** Fewer letters make no picture. */
const SHORTEST_DATA = 40

/**
 * Pictures that were pasted or dropped: paths as terminals write them (quoted, escaped, as a URL, several with blanks
 * between them), or the bytes of one in base64. Nothing for a paste that is just text.
 */
export function pastedPictures(text: string): PictureSource | undefined {
  if (text.length > LONGEST_DATA) return undefined
  const said = text.trim()
  const base64 = pastedData(said)
  if (base64 !== undefined) return { kind: 'data', base64, text }
  const files = said.length > LONGEST_PATHS ? undefined : (severalFiles(said) ?? oneFile(said))
  return files && { kind: 'files', files, text }
}

function pastedData(said: string): string | undefined {
  const url = /^data:image\/[\w.+-]+;base64,/i.exec(said)
  if (url) return said.slice(url[0].length)
  if (said.length < SHORTEST_DATA || !pictureType(Buffer.from(said.slice(0, 24), 'base64'))) return undefined
  // A pattern for the whole of it would remember every letter.
  return /[^A-Za-z\d+/=\s]/.test(said) ? undefined : said
}

const WORD = /(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/gs

/** Taken apart as a shell would. A single bare name may stand for a file; several could be a sentence. */
function severalFiles(said: string): PastedFile[] | undefined {
  const words = said.match(WORD) ?? []
  if (said.replaceAll(WORD, '').trim() !== '') return undefined
  const files = words.map((word) => pictureFile(word, isDrive(word) ? word : unquote(word)))
  const known = files.filter((file) => file !== undefined)
  if (known.length === 0 || known.length < files.length) return undefined
  return known.length === 1 || known.every(({ certain }) => certain) ? known : undefined
}

/** Some terminals write a path with blanks or quotes in it as it is; but a sentence can begin like one. */
function oneFile(said: string): PastedFile[] | undefined {
  const file = said.includes('\n') ? undefined : pictureFile(said, said)
  return file?.certain ? [{ ...file, certain: false }] : undefined
}

function pictureFile(text: string, written: string): PastedFile | undefined {
  const path = /^file:\/\//i.test(written) ? pathOf(written) : written
  if (path === undefined || !/\.(?:png|jpe?g|gif|webp)$/i.test(path)) return undefined
  const certain = /^(?:~?\/|\.{1,2}\/)/.test(path) || isDrive(path)
  return certain || /^[^\s:]+$/.test(path) ? { text, path, certain } : undefined
}

const isDrive = (path: string): boolean => /^[A-Za-z]:[\\/]/.test(path)

function pathOf(url: string): string | undefined {
  try {
    return fileURLToPath(url)
  } catch {
    return undefined
  }
}

const unquote = (word: string): string =>
  word.replaceAll(
    /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
  )
