import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { tarOf } from './build-image.ts'

it.each(['', 'FROM scratch\n', 'x'.repeat(512), 'é'.repeat(700)])(
  'makes an archive that tar can read',
  (text) => {
    const { status, stdout, stderr } = spawnSync('tar', ['-x', '-O', '-f', '-'], {
      input: tarOf('Dockerfile', text),
    })
    expect([status, stdout.toString(), stderr.toString()]).toEqual([0, text, ''])
    const listed = spawnSync('tar', ['-t', '-f', '-'], { input: tarOf('Dockerfile', text) })
    expect(listed.stdout.toString()).toBe('Dockerfile\n')
  },
)
