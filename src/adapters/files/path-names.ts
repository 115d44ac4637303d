import { isAbsolute, sep } from 'node:path'
import { Refusal, quote } from './refusal.ts'

export interface PathNames {
  absolute: boolean
  names: string[]
}

/**
 * The names a path is made of; none for `.` and `/`. `..` is refused even where it would stay inside: what it means
 * depends on links.
 */
export function pathNames(path: string): PathNames {
  if (path === '') throw new Refusal('the path is empty; use "." for the working folder')
  if (path.includes('\0')) throw new Refusal(`${quote(path)} contains a NUL character`)
  if (!path.isWellFormed()) throw new Refusal(`${quote(path)} is not valid Unicode`)
  const names = splitNames(path)
  if (names.includes('..')) {
    throw new Refusal(`${quote(path)} contains ".."; give the path from the working folder, without ".."`)
  }
  const absolute = isAbsolute(path)
  if (!absolute && names[0] === '~') {
    throw new Refusal(`${quote(path)} is outside the working folder; "~" is not expanded`)
  }
  // After the drive, a colon on Windows names a stream of another file.
  if (sep === '\\' && names.slice(absolute ? 1 : 0).some((name) => name.includes(':'))) {
    throw new Refusal(`${quote(path)} contains ":", which means something else on Windows`)
  }
  return { absolute, names }
}

export const splitNames = (path: string): string[] =>
  path.split(sep === '\\' ? /[\\/]/u : '/').filter((name) => name !== '' && name !== '.')
