import { languageOf } from './language.ts'
import type { SeenFile } from './seen-file.ts'
import type { Entry } from './tool-output.ts'

export interface SummaryWork {
  /** `.` for the whole project. */
  path: string
  /** What is in it, with paths relative to the project; undefined when it is no folder. */
  entries: Entry[] | undefined
  cut: boolean
  isListed: boolean
  files: ReadonlyMap<string, SeenFile>
  /** Texts worth reading, most telling first. */
  telling: string[]
}

export const linesOf = (file: SeenFile | undefined): string[] | undefined =>
  file?.partial?.lines ?? file?.original?.split('\n')

/** Names defined at the outermost level, or one level in. */
export function definitionsIn(lines: readonly string[]): string[] {
  const names = lines.flatMap((line) => (declaration.exec(line) ?? functionValue.exec(line))?.[1] ?? [])
  return [...new Set(names)]
}

const declaration =
  /^ {0,4}(?:(?:export|default|pub(?:\([a-z]+\))?|public|private|protected|static|final|abstract|async|sealed|partial|internal)\s+)*(?:function\*?|class|interface|type|enum|struct|trait|def|fn|func|module|namespace|record|object)\s+(?:\([^()]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*)(?![\p{L}\p{N}_$]|\s*[,}])/u
const functionValue =
  /^(?:export\s+)?const\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*=\s*(?:async\s*)?(?:\(|function\b|\w+\s*=>)/u

export const isCode = (path: string): boolean =>
  !['text', 'data', 'JSON', 'YAML', 'other', 'HTML', 'Build file'].includes(languageOf(path).name)
