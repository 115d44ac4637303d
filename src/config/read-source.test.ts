import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/workbench.ts'
import { readSource } from './read-source.ts'

function read(content: Buffer) {
  const file = join(temporaryFolder(), 'c.yaml')
  writeFileSync(file, content)
  return readSource(file)
}

test('reads text as it is', () => {
  expect(read(Buffer.from('a: ü\n'))).toEqual({ ok: true, source: 'a: ü\n' })
})

test('says where text is not UTF-8', () => {
  const bytes = Buffer.concat([Buffer.from('a: ü\nb: '), Buffer.from([0xe4]), Buffer.from('\nc: 1\n')])
  expect(read(bytes)).toMatchObject({
    ok: false,
    problem: { line: 2, column: 4, message: 'the config file is not UTF-8', suggestion: 'save it as UTF-8' },
  })
  expect(read(Buffer.from('\ufeffa: 1', 'utf16le'))).toMatchObject({
    problem: { message: 'the config file is UTF-16' },
  })
})

test('reads a pipe, and never more than a config can be', () => {
  const pipe = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  execFileSync('sh', ['-c', `printf 'a: 1' >"$1" &`, 'sh', pipe], { stdio: 'ignore' })
  expect(readSource(pipe)).toEqual({ ok: true, source: 'a: 1' })
  expect(readSource('/dev/zero')).toMatchObject({
    problem: { message: expect.stringContaining('is larger than') },
  })
})
