import { applyEdits } from './apply-edits.ts'
import { applyPatch } from './apply-patch.ts'
import { lineDiff } from './line-diff.ts'
import { rememberFile } from './remember-file.ts'
import { defineTool, failed } from './tool.ts'
import { touchedPath } from './touched-path.ts'

export const updateFile = defineTool({
  name: 'update_file',
  changes: 'files',
  description:
    'Change a file by edits, applied in order, or by a patch. If a part does not apply, nothing is written.',
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
      patch: { type: 'string', description: 'Instead of edits: a unified diff of this file.' },
    },
    required: ['path'],
    additionalProperties: false,
  },
  access: ({ path }, folder) => [{ kind: 'write', path: touchedPath(path, folder) }],
  async run({ path, edits, patch }, { files, seen }) {
    if ((edits === undefined) === (patch === undefined)) return failed('give either edits or a patch')
    const file = await files.readWhole(path)
    if ('refused' in file) return failed(file.refused)
    if (!file.valid_utf8)
      return failed(`${file.path} is not valid UTF-8, and an edit would destroy bytes of it`)
    const known = seen?.get(file.path)
    if (known !== undefined && known !== file.fingerprint) {
      return failed(`${file.path} was not changed: somebody changed it since you read it; read it again`)
    }
    const edited = patch === undefined ? applyEdits(file.text, edits ?? []) : applyPatch(file.text, patch)
    if ('problem' in edited) return failed(`${file.path} was not changed: ${edited.problem}`)
    if (edited.text === file.text) return failed(`${file.path} was not changed: the edits cancel each other`)

    const { fingerprint } = file
    const written = await files.write(path, edited.text, { create: false, fingerprint })
    if ('refused' in written) return failed(written.refused)
    await rememberFile(written.path, { files, seen })
    const diff = lineDiff(file.text, edited.text)
    const summary = `updated ${written.path} (+${diff.added} −${diff.removed})\n${diff.text}`
    return { success: true, output: [...(edited.notes ?? []), summary].join('\n'), files: [written] }
  },
})
