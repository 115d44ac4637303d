import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openFiles } from '../../../src/adapters/files/gateway.ts'
import { localShell } from '../../../src/adapters/shell/local-shell.ts'
import { searchCode } from '../../../src/tools/search-code.ts'
import { temporaryFolder } from '../../support/workbench.ts'

// Each of these takes a backtracking engine longer than the test may last.
it.each(['(a+)+$', '(a|aa)+$', '(.*a){20}$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(x+x+)+y'])(
  '35 a hostile pattern is searched in time: %s',
  async (pattern) => {
    const root = temporaryFolder()
    writeFileSync(join(root, 'a.txt'), `${'a'.repeat(50_000)}!\n${'x'.repeat(50_000)}\n`)
    const result = await searchCode.run(
      { pattern, regex: true },
      {
        files: openFiles(root),
        shell: localShell(),
        signal: new AbortController().signal,
        confined: false,
        call_id: 'call_1',
        onOutput: () => {},
        explore: () => Promise.reject(new Error('not here')),
      },
    )
    expect(result.output).toMatch(/no matches|a\.txt:|too long|failed/)
  },
  10_000,
)
