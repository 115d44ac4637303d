import { isUtf8 } from 'node:buffer'
import { sep } from 'node:path'

/**
 * A path with every byte as one character. File names are bytes: one that is not UTF-8 would not survive being a
 * JavaScript text. Used inside this adapter only, always with `/`.
 */
export type BytePath = string

export const fromText = (path: string): BytePath =>
  Buffer.from(sep === '\\' ? path.replaceAll('\\', '/') : path).toString('latin1')

/** For a system call. */
export const toBytes = (path: BytePath): Buffer => Buffer.from(path, 'latin1')

/** For a person; bytes that are not UTF-8 are replaced. */
export const toText = (path: BytePath): string => Buffer.from(path, 'latin1').toString('utf8')

export const isText = (path: BytePath): boolean => isUtf8(Buffer.from(path, 'latin1'))

export const under = (folder: BytePath, path: BytePath): BytePath =>
  path === '' ? folder : `${folder}/${path}`

/** The folder a path is in; empty for the top. */
export const parentOf = (path: BytePath): BytePath => path.slice(0, Math.max(0, path.lastIndexOf('/')))

export const nameOf = (path: BytePath): BytePath => path.slice(path.lastIndexOf('/') + 1)
