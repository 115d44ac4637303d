import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { testWith } from '../../../test/support/needs.ts'
import { openFiles } from './gateway.ts'

let base: string
let root: string
const inRoot = (name: string): string => path.join(root, name)
const refusal = (text: string | RegExp) => ({ refused: expect.stringMatching(text) })

beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'conclave-hostile-')))
  root = path.join(base, 'root')
  fs.mkdirSync(root)
  fs.chmodSync(base, 0o755)
})

afterEach(() => {
  fs.rmSync(base, { recursive: true, force: true })
})

it('refuses a FIFO, a socket and a device without waiting for them', async () => {
  spawnSync('mkfifo', [inRoot('fifo')])
  const server = net.createServer().listen(inRoot('socket'))
  await once(server, 'listening')
  const names = ['fifo', 'socket']
  if (spawnSync('mknod', [inRoot('device'), 'c', '1', '5']).status === 0) names.push('device')
  const files = openFiles(root)
  for (const name of names) {
    expect(await files.read(name), name).toEqual(refusal(/not a regular file/))
    expect(await files.readWhole(name), name).toEqual(refusal(/not a regular file/))
    expect(await files.write(name, 'x', { create: true }), name).toEqual(refusal(/not a regular file/))
    expect(await files.write(name, 'x', { create: false }), name).toEqual(refusal(/not a regular file/))
    expect(await files.delete(name), name).toEqual(refusal(/not a regular file/))
    expect(await files.stat(name), name).toMatchObject({ kind: 'other' })
  }
  server.close()
})

/** Runs code with `files` in a process without any special rights, and returns what it prints as JSON. */
async function asNobody(code: string): Promise<unknown> {
  const gateway = new URL('gateway.ts', import.meta.url).href
  const script = `
    import { openFiles } from ${JSON.stringify(gateway)}
    if (process.getuid() === 0) {
      process.setgroups([])
      process.setgid(65534)
      process.setuid(65534)
    }
    const files = openFiles(${JSON.stringify(root)})
    console.log(JSON.stringify(${code}))
  `
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  return JSON.parse(stdout)
}

it('says so when permission is denied', async () => {
  fs.writeFileSync(inRoot('secret.txt'), 'secret', { mode: 0o000 })
  fs.writeFileSync(inRoot('read-only.txt'), 'before', { mode: 0o444 })
  fs.mkdirSync(inRoot('closed'))
  fs.chmodSync(inRoot('closed'), 0o000)
  fs.chmodSync(root, 0o777)
  const results = await asNobody(`[
    await files.read('secret.txt'),
    await files.read('closed/file.txt'),
    await files.list('closed'),
    await files.write('read-only.txt', 'after', { create: false }),
    await files.write('closed/new.txt', 'x', { create: true }),
    await files.read('read-only.txt'),
  ]`)
  fs.chmodSync(inRoot('closed'), 0o755)
  const denied = refusal(/permission denied/)
  expect(results).toEqual([
    denied,
    denied,
    denied,
    denied,
    denied,
    expect.objectContaining({ text: 'before' }),
  ])
})

it('says so when the folder of a new or replaced file may not be written', async () => {
  fs.writeFileSync(inRoot('file.txt'), 'before', { mode: 0o666 })
  fs.chmodSync(inRoot('file.txt'), 0o666)
  fs.chmodSync(root, 0o555)
  const results = await asNobody(`[
    await files.write('file.txt', 'after', { create: false }),
    await files.write('new.txt', 'x', { create: true }),
    await files.write('new/folder.txt', 'x', { create: true }),
    await files.delete('file.txt'),
  ]`)
  fs.chmodSync(root, 0o755)
  const denied = refusal(/permission denied/)
  expect(results).toEqual([denied, denied, denied, denied])
  expect(fs.readFileSync(inRoot('file.txt'), 'utf8')).toBe('before')
})

testWith('mount', 'keeps the old bytes and says so when the disk is full or read-only', fillDisk)

async function fillDisk(): Promise<void> {
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', root])
  try {
    const files = openFiles(root)
    fs.writeFileSync(inRoot('file.txt'), 'before')
    const large = 'x'.repeat(200_000)
    expect(await files.write('file.txt', large, { create: false })).toEqual(refusal(/disk is full/))
    expect(await files.write('new.txt', large, { create: true })).toEqual(refusal(/disk is full/))
    expect(fs.readdirSync(root)).toEqual(['file.txt'])
    spawnSync('mount', ['-o', 'remount,ro', root])
    expect(await files.write('file.txt', 'after', { create: false })).toEqual(refusal(/read-only/))
    expect(await files.write('a/new.txt', 'x', { create: true })).toEqual(refusal(/read-only/))
    expect(await files.delete('file.txt')).toEqual(refusal(/read-only/))
    expect(fs.readFileSync(inRoot('file.txt'), 'utf8')).toBe('before')
  } finally {
    spawnSync('umount', [root])
  }
}
