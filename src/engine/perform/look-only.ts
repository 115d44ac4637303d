import type { Files } from '../../ports/files.ts'
import type { Shell } from '../../ports/shell.ts'

/** What a call that may change nothing is given to work with: a tool that lies about itself gets no further. */
export function lookOnly(parts: { files: Files; shell: Shell }): { files: Files; shell: Shell } {
  const { files, shell } = parts
  const refuse = async () => ({ refused: 'this call may only look, so nothing was changed' })
  return {
    files: {
      root: files.root,
      read: (path, range) => files.read(path, range),
      readWhole: (path) => files.readWhole(path),
      stat: (path) => files.stat(path),
      list: (path, limit) => files.list(path, limit),
      write: refuse,
      delete: refuse,
    },
    shell: { ...shell, run: (request) => shell.run({ ...request, access: 'read' }) },
  }
}
