import { defineTool, failed } from './tool.ts'
import { touchedPath } from './touched-path.ts'

export const deleteFile = defineTool({
  name: 'delete_file',
  changes: 'files',
  destructive: true,
  description: 'Delete one file.',
  input: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  },
  access: ({ path }, folder) => [{ kind: 'delete', path: touchedPath(path, folder) }],
  async run({ path }, { files, seen }) {
    const deleted = await files.delete(path)
    if ('refused' in deleted) return failed(deleted.refused)
    seen?.delete(deleted.path)
    return { success: true, output: `deleted ${deleted.path}`, files: [deleted] }
  },
})
