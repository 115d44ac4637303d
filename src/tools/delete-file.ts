import { defineTool, failed } from './tool.ts'

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
  async run({ path }, { files }) {
    const deleted = await files.delete(path)
    if ('refused' in deleted) return failed(deleted.refused)
    return { success: true, output: `deleted ${deleted.path}`, files: [deleted] }
  },
})
