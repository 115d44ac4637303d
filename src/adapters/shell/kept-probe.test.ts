import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'

// A process of its own for each look, because a process looks only once.
const LOOK = `
  const { bubblewrap } = await import(process.argv[1])
  process.stdout.write(JSON.stringify(bubblewrap(process.argv[2])))
`
const MODULE = join(import.meta.dirname, 'bubblewrap.ts')

function machine() {
  const folder = temporaryFolder()
  const bin = join(folder, 'bin')
  const tries = join(folder, 'tries')
  const kept = join(folder, 'cache', 'sandbox')
  mkdirSync(bin)
  return {
    kept,
    install(script: string) {
      writeFileSync(join(bin, 'bwrap'), `#!/bin/sh\necho "$*" >>${tries}\n${script}\n`)
      chmodSync(join(bin, 'bwrap'), 0o755)
    },
    look: (): unknown =>
      JSON.parse(
        execFileSync(process.execPath, ['--input-type=module', '-e', LOOK, MODULE, kept], {
          encoding: 'utf8',
          env: { PATH: `${bin}:/usr/bin:/bin` },
        }),
      ),
    tries: () => (existsSync(tries) ? readFileSync(tries, 'utf8').trim().split('\n').length : 0),
  }
}

test.runIf(process.platform === 'linux')(
  'a sandbox that worked is not tried again by the next process',
  () => {
    const { install, look, tries } = machine()
    install('exit 0')
    expect(look()).toMatchObject({ works: true, nested: true })
    expect(look()).toMatchObject({ works: true, nested: true })
    expect(tries()).toBe(1)
  },
)

test.runIf(process.platform === 'linux')(
  'another program in its place is tried, and a failure is not kept',
  () => {
    const { install, look, tries, kept } = machine()
    install('exit 0')
    look()
    install('echo broken >&2; exit 1')
    expect(look()).toMatchObject({ works: false })
    const before = tries()
    expect(look()).toMatchObject({ works: false })
    expect(tries()).toBeGreaterThan(before)
    writeFileSync(kept, '{"works":true}')
    expect(look()).toMatchObject({ works: false })
  },
)

test.runIf(process.platform === 'linux')('a weaker sandbox is tried anew each time', () => {
  const { install, look, kept } = machine()
  install('case "$*" in *--disable-userns*) exit 1;; esac')
  expect(look()).toMatchObject({ works: true, nested: false })
  expect(existsSync(kept)).toBe(false)
})
