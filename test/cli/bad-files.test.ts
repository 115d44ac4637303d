import { chmodSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Program, readStream } from '../support/program.ts'

test('files that cannot be read are failed observations, and the turn goes on', async () => {
  const program = new Program({ 'secret.txt': 'closed' })
  const inFolder = (name: string): string => join(program.folder, name)
  writeFileSync(inFolder('binary.bin'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0xff]))
  writeFileSync(inFolder('sparse.txt'), '')
  truncateSync(inFolder('sparse.txt'), 200 * 1024 * 1024)
  chmodSync(inFolder('secret.txt'), 0)
  onTestFinished(() => chmodSync(inFolder('secret.txt'), 0o600))
  const paths = ['binary.bin', 'sparse.txt', 'missing.txt', 'secret.txt', '.', '../home', '/etc/passwd']
  const calls = paths.map((path) => ({ name: 'read_file', input: { path } }))
  const model = program.replies({ calls }, { text: 'None of them could be read.' })
  const { code, stdout } = await program.run(['-p', 'read', model, '--output-format', 'stream-json'], {
    unprivileged: true,
  })
  const { envelopes, result } = readStream(stdout)
  expect({ code, answer: result.final_answer }).toEqual({ code: 0, answer: 'None of them could be read.' })
  const seen = envelopes.flatMap(({ event }) =>
    event.type === 'observation.recorded' ? [event.observation] : [],
  )
  expect(seen.map(({ input }) => input['path']).toSorted()).toEqual(paths.toSorted())
  expect(seen.filter(({ success }) => success)).toEqual([])
  for (const { error, input } of seen) {
    expect(error, String(input['path'])).toMatch(/\w/)
    expect(error).not.toMatch(/^\s+at /m)
  }
})
