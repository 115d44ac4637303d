import { rememberFile } from './remember-file.ts'
import { defineTool, failed } from './tool.ts'
import { touchedPath } from './touched-path.ts'

export const createFile = defineTool({
  name: 'create_file',
  changes: 'files',
  description: 'Create a new file, with its folders. Refused when it exists.',
  input: {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' } },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  access: ({ path }, folder) => [{ kind: 'write', path: touchedPath(path, folder) }],
  async run({ path, content }, { files, seen }) {
    const written = await files.write(path, content, { create: true })
    if ('refused' in written) {
      const there = await files.stat(path)
      const isFile = !('refused' in there) && there.kind === 'file'
      return failed(isFile ? `${written.refused}; use update_file to change it` : written.refused)
    }
    await rememberFile(written.path, { files, seen })
    return { success: true, output: `created ${written.path} (${countLines(content)})`, files: [written] }
  },
})

function countLines(content: string): string {
  const lines = content.split('\n').length - (content === '' || content.endsWith('\n') ? 1 : 0)
  return lines === 1 ? '1 line' : `${lines} lines`
}
