import { languageOf } from './language.ts'
import { type SummaryWork, definitionsIn, isCode, linesOf } from './summary-work.ts'
import { testCommand } from './test-command.ts'
import type { Entry } from './tool-output.ts'
import { code, count, some } from './voice.ts'

/** A folder in a few lines, each of which rests on a name, a size or a text that was seen. */
export function describeFolder(work: SummaryWork, entries: readonly Entry[]): string {
  const files = entries.filter(({ kind }) => kind === 'file')
  const name = work.path === '.' ? 'This project' : work.path
  if (files.length === 0) return `${name} holds no files that I can see.`
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return [
    aboutIt(work),
    `${name} has ${work.cut ? 'more than ' : ''}${count(files.length, 'file')} (${size(bytes)}) three levels deep: ${languages(files)}.`,
    mainParts(work, entries),
    whatIsInside(work),
    work.path === '.' ? howToRun(work, entries) : '',
  ]
    .filter(Boolean)
    .join('\n')
}

/** What the manifest or the readme says of it, in its own words. */
function aboutIt({ telling, files }: SummaryWork): string {
  for (const path of telling) {
    const text = linesOf(files.get(path))?.join('\n') ?? ''
    const stated = /^\s*"?description"?\s*[:=]\s*"((?:[^"\\]|\\.)*)"/m.exec(text)?.[1]
    if (stated) return `${path} says: "${stated}"`
  }
  const readme = telling.find((path) => /(?:^|\/)readme/i.test(path))
  const paragraph = readme && firstParagraph(linesOf(files.get(readme)) ?? [])
  return paragraph ? `${readme} says: "${paragraph}"` : ''
}

function firstParagraph(lines: readonly string[]): string {
  const isText = (line: string): boolean =>
    /^[\p{L}\p{N}"'*_`[]/u.test(line.trim()) && !line.trim().startsWith('[![')
  const start = lines.findIndex(isText)
  if (start === -1) return ''
  const end = lines.findIndex((line, at) => at > start && line.trim() === '')
  return lines
    .slice(start, end === -1 ? undefined : end)
    .join(' ')
    .slice(0, 300)
}

function languages(files: readonly Entry[]): string {
  const counts = new Map<string, number>()
  for (const { path } of files)
    counts.set(languageOf(path).name, (counts.get(languageOf(path).name) ?? 0) + 1)
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return some(
    sorted.map(([name, number]) => `${number} ${name}`),
    6,
  )
}

function mainParts({ path }: SummaryWork, entries: readonly Entry[]): string {
  const prefix = path === '.' ? '' : `${path}/`
  const folders = entries.filter(
    (entry) => entry.kind === 'folder' && !entry.path.slice(prefix.length).includes('/'),
  )
  const parts = folders.map((folder) => {
    const inside = entries.filter(
      (entry) => entry.kind === 'file' && entry.path.startsWith(`${folder.path}/`),
    )
    return `- ${folder.path}/: ${
      inside.length === 0
        ? 'no files seen'
        : `${count(inside.length, 'file')} (${some(
            inside.map((file) => file.path.slice(folder.path.length + 1)),
            5,
          )})`
    }`
  })
  return parts.length > 0 ? `Main parts:\n${some(parts, 12, '\n')}` : ''
}

function whatIsInside({ telling, files }: SummaryWork): string {
  const described = telling.filter(isCode).flatMap((path) => {
    const names = definitionsIn(linesOf(files.get(path)) ?? [])
    return names.length > 0 ? [`- ${path} defines ${some(names.map(code), 8)}`] : []
  })
  return described.length > 0 ? `Looked into:\n${described.join('\n')}` : ''
}

function howToRun({ files }: SummaryWork, entries: readonly Entry[]): string {
  const names = new Set(entries.filter(({ path }) => !path.includes('/')).map(({ path }) => path))
  const textOf = (name: string): string | undefined => linesOf(files.get(name))?.join('\n')
  const test = testCommand(names, textOf)
  const scripts = scriptNames(textOf('package.json'))
  return [
    scripts.length > 0 ? `Scripts in package.json: ${some(scripts.map(code), 8)}.` : '',
    test === undefined ? 'I see no sign of how to run its tests.' : `Tests: ${code(test)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function scriptNames(manifest: string | undefined): string[] {
  try {
    const parsed: unknown = JSON.parse(manifest ?? 'null')
    const scripts =
      parsed && typeof parsed === 'object' ? (parsed as Record<string, unknown>)['scripts'] : undefined
    return scripts && typeof scripts === 'object' ? Object.keys(scripts) : []
  } catch {
    return []
  }
}

const size = (bytes: number): string =>
  bytes < 1_000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${Math.round(bytes / 1_000)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`
