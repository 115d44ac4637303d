import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Makes a Git folder of ours, with nothing in it a project could have written. `exact`: files go in byte for byte,
 * whatever a project's attributes say about line ends, encodings and filters.
 */
export async function makeGitDir(path: string, options: { exact: boolean }): Promise<void> {
  for (const folder of ['objects', 'refs', 'info']) {
    await mkdir(join(path, folder), { recursive: true, mode: 0o700 })
  }
  await writeFile(join(path, 'config'), CONFIG)
  await writeFile(join(path, 'info', 'exclude'), EXCLUDED)
  await writeFile(join(path, 'info', 'attributes'), options.exact ? EXACT : '')
  await writeFile(join(path, 'HEAD'), 'ref: refs/heads/none\n')
}

/** Loose objects are written quickly rather than small: they are swept soon enough. */
const CONFIG = `[core]
\trepositoryformatversion = 0
\tbare = false
\tlooseCompression = 0
\tcompression = 0
`

/** Here it outranks the attributes in the work tree. */
const EXACT = '* -text -eol -crlf -ident -filter -working-tree-encoding -diff -merge\n'

/** Thousands of files nobody wrote, in projects that do not say so themselves. */
const EXCLUDED = 'node_modules/\n.venv/\n__pycache__/\n'
