import { isAbsolute, sep } from 'node:path'
import { Refusal, quote } from './refusal.ts'

/**
 * The names that lead from the root to a path; none for the root itself. `..` is refused even where it would stay inside:
 * what it means depends on links. `roots` are the spellings of the root, the real one first.
 */
export function pathNames(path: string, roots: readonly string[]): string[] {
  if (path === '') throw new Refusal('the path is empty; use "." for the working folder')
  if (path.includes('\0')) throw new Refusal(`${quote(path)} contains a NUL character`)
  if (!path.isWellFormed()) throw new Refusal(`${quote(path)} is not valid Unicode`)
  const names = splitNames(insideRoot(path, roots)).filter((name) => name !== '' && name !== '.')
  if (names.includes('..')) {
    throw new Refusal(`${quote(path)} contains ".."; give the path from the working folder, without ".."`)
  }
  if (names[0] === '~') throw new Refusal(`${quote(path)} is outside the working folder; "~" is not expanded`)
  if (sep === '\\' && names.some((name) => name.includes(':'))) {
    throw new Refusal(`${quote(path)} contains ":", which means something else on Windows`)
  }
  return names
}

function insideRoot(path: string, roots: readonly string[]): string {
  if (!isAbsolute(path)) return path
  for (const root of roots) {
    const prefix = root.endsWith(sep) ? root : root + sep
    if (path === root) return ''
    if (path.startsWith(prefix)) return path.slice(prefix.length)
  }
  throw new Refusal(`${quote(path)} is outside the working folder ${quote(roots[0] ?? '')}`)
}

const splitNames = (path: string): string[] => path.split(sep === '\\' ? /[\\/]/u : '/')
