/**
 * Attack 3: another process swaps a parent folder for a link to the outside and back while the file tools work in it.
 *
 *   sh scripts/node.sh test/security/files/symlink-race.ts [operations]     20,000 if absent
 *
 * Prints what happened and fails when anything escaped. The control run opens by name, as a checker that resolves first
 * and opens afterwards does, and shows that the attack works.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFiles } from '../../../src/adapters/files/gateway.ts'

export interface RaceResult {
  operations: number
  done: number
  refused: number
  escaped: number
}

/** Half of the operations read, half change something. */
export async function runRace(operations: number, way: 'gateway' | 'by_name'): Promise<RaceResult> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'conclave-race-')))
  const [root, outside] = [join(base, 'root'), join(base, 'outside')]
  for (const folder of [root, outside, join(root, 'folder')]) mkdirSync(folder)
  writeFileSync(join(outside, 'file.txt'), 'canary')
  writeFileSync(join(root, 'folder/file.txt'), 'inside')
  const swapper = spawn(process.execPath, ['-e', SWAPPER, join(root, 'folder'), outside])
  const ended = once(swapper, 'exit')
  await once(swapper.stdout, 'data')
  const result: RaceResult = { operations: 0, done: 0, refused: 0, escaped: 0 }
  const step = way === 'gateway' ? throughGateway(root) : byName(root)
  try {
    while (result.operations < operations) {
      result[await step(result.operations)] += 1
      result.operations += 1
    }
  } finally {
    swapper.kill('SIGKILL')
    await ended
  }
  const changed =
    readFileSync(join(outside, 'file.txt'), 'utf8') !== 'canary' || readdirSync(outside).join() !== 'file.txt'
  if (changed) result.escaped += 1
  rmSync(base, { recursive: true, force: true })
  return result
}

type Step = (round: number) => Promise<'done' | 'refused' | 'escaped'>

function throughGateway(root: string): Step {
  const files = openFiles(root)
  return async (round) => {
    const name = `folder/new-${Math.floor(round / 4)}.txt`
    const results = [
      () => files.read('folder/file.txt'),
      () => files.write('folder/file.txt', `inside ${round}`, { create: false }),
      () => files.write(name, 'new', { create: true }),
      () => files.delete(name),
    ]
    const result = await results[round % 4]?.()
    if (!result || 'refused' in result) return 'refused'
    return 'text' in result && !result.text.startsWith('inside') ? 'escaped' : 'done'
  }
}

/** Resolve, check, open without following the last name: looks careful, and loses. */
function byName(root: string): Step {
  const path = join(root, 'folder/file.txt')
  return async () => {
    try {
      if (!(await realpath(path)).startsWith(`${root}/`)) return 'refused'
      const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
      try {
        return (await handle.readFile('utf8')) === 'canary' ? 'escaped' : 'done'
      } finally {
        await handle.close()
      }
    } catch {
      return 'refused'
    }
  }
}

/** Swaps the folder for a link to the outside and back, as fast as it can. */
const SWAPPER = `
  const fs = require('node:fs')
  const [folder, outside] = process.argv.slice(1)
  const aside = folder + '-aside'
  process.stdout.write('ready')
  for (;;) {
    try {
      fs.renameSync(folder, aside)
      fs.symlinkSync(outside, folder)
      fs.unlinkSync(folder)
      fs.renameSync(aside, folder)
    } catch {
      // The other process made the folder anew while its name was free.
      if (!fs.existsSync(aside)) continue
      fs.rmSync(folder, { recursive: true, force: true })
      fs.renameSync(aside, folder)
    }
  }
`

if (import.meta.main) {
  const operations = Number(process.argv[2] ?? 20_000)
  const control = await runRace(operations, 'by_name')
  const result = await runRace(operations, 'gateway')
  console.log('control, by name:', control)
  console.log('file gateway:    ', result)
  process.exitCode = result.escaped > 0 || result.done === 0 ? 1 : 0
}
