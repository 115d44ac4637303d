import { applyEdits } from './apply-edits.ts'
import { lineDiff } from './line-diff.ts'
import { defineTool, failed } from './tool.ts'

export const updateFile = defineTool({
  name: 'update_file',
  changes: 'files',
  description:
    'Change a file by exact replacements, applied in order; if one does not apply, nothing is written.',
  input: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      edits: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            old_text: {
              type: 'string',
              description: 'As in the file, without line numbers. Must occur once unless replace_all.',
            },
            new_text: { type: 'string' },
            replace_all: { type: 'boolean' },
          },
          required: ['old_text', 'new_text'],
          additionalProperties: false,
        },
      },
    },
    required: ['path', 'edits'],
    additionalProperties: false,
  },
  async run({ path, edits }, { files }) {
    const file = await files.readWhole(path)
    if ('refused' in file) return failed(file.refused)
    if (!file.valid_utf8)
      return failed(`${file.path} is not valid UTF-8, and an edit would destroy bytes of it`)
    const edited = applyEdits(file.text, edits)
    if ('problem' in edited) return failed(`${file.path} was not changed: ${edited.problem}`)
    if (edited.text === file.text) return failed(`${file.path} was not changed: the edits cancel each other`)

    const { fingerprint } = file
    const written = await files.write(path, edited.text, { create: false, fingerprint })
    if ('refused' in written) return failed(written.refused)
    const diff = lineDiff(file.text, edited.text)
    return {
      success: true,
      output: `updated ${written.path} (+${diff.added} −${diff.removed})\n${diff.text}`,
      files: [written],
    }
  },
})
