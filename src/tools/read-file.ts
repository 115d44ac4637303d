import type { FileText } from '../ports/files.ts'
import { defineTool, failed } from './tool.ts'
import { touchedPath } from './touched-path.ts'

const DEFAULT_LINES = 2_000

export const readFile = defineTool({
  name: 'read_file',
  read_only: true,
  description: 'Read a text file. Each line comes with its number and a tab.',
  input: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      offset: { type: 'integer', minimum: 1, description: 'First line to read, from 1.' },
      limit: { type: 'integer', minimum: 1, description: `Lines to read, ${DEFAULT_LINES} if absent.` },
    },
    required: ['path'],
    additionalProperties: false,
  },
  access: ({ path }, folder) => [{ kind: 'read', path: touchedPath(path, folder) }],
  async run({ path, offset = 1, limit = DEFAULT_LINES }, { files, seen }) {
    const file = await files.read(path, { offset: offset - 1, limit })
    if ('refused' in file) return failed(file.refused)
    seen?.set(file.path, file.fingerprint)
    if (file.text === '' && offset > 1) {
      const has = file.total_lines === undefined ? '' : `, which has ${file.total_lines}`
      return failed(`line ${offset} is past the end of ${file.path}${has}`)
    }
    return { success: true, output: [...numberLines(file), ...notes(file)].join('\n') }
  },
})

function numberLines(file: FileText): string[] {
  const lines = file.text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const width = String(file.first_line + lines.length).length
  return lines.map((line, index) => {
    const number = String(file.first_line + index + 1).padStart(width)
    return `${number}\t${line.replace(/\r$/u, '')}`
  })
}

function notes(file: FileText): string[] {
  const found: string[] = []
  if (file.text === '') found.push('(the file is empty)')
  if (!file.valid_utf8) found.push('(not valid UTF-8: some bytes are shown as \ufffd; it cannot be edited)')
  if (file.truncated) {
    const last = file.first_line + file.text.split('\n').length - (file.text.endsWith('\n') ? 1 : 0)
    const of =
      file.total_lines === undefined ? `; the file has ${file.size} bytes` : ` of ${file.total_lines}`
    found.push(`… more after line ${last}${of}; go on with offset ${last + 1}`)
  }
  return found
}
