import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { commitOf, problemOf } from './journal-contract.test-support.ts'
import { openSqliteJournal } from './sqlite-journal.ts'
import { tempFolder } from './temp-folder.test-support.ts'

type Script = ChildProcessByStdio<Writable, Readable, Readable>

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../../test/fixtures/journal/${name}.ts`, import.meta.url))

function start(name: string, ...parameters: string[]): Script {
  const child = spawn(process.execPath, [fixture(name), ...parameters], { stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Resolves when the script has printed as many lines, with all of them. */
async function lines(child: Script, count: number): Promise<string[]> {
  const seen: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    seen.push(line)
    if (seen.length >= count) return seen
  }
  throw new Error(`it ended after ${seen.length} lines: ${await text(child.stderr)}`)
}

describe('SQLite journals of several processes', () => {
  it('give each event to exactly one of them and lose none', async () => {
    const path = join(await tempFolder(), 'journal.db')
    const racers = ['one', 'two', 'three'].map((name) => start('racer', path, name, '40'))
    const output = racers.map((racer) => text(racer.stdout))
    const errors = racers.map((racer) => text(racer.stderr))
    for (const racer of racers) racer.stdin.write('go\n')
    await Promise.all(racers.map((racer) => once(racer, 'exit')))
    expect((await Promise.all(errors)).join('')).toBe('')

    const twice: string[] = []
    const won = new Map<string, string>()
    for (const [position, name] of ['one', 'two', 'three'].entries()) {
      for (const line of ((await output[position]) ?? '').split('\n')) {
        if (!line.startsWith('won ')) continue
        twice.push(...(won.has(line) ? [line] : []))
        won.set(line, name)
      }
    }
    expect(twice).toEqual([])
    expect(won.size).toBe(50 + 3 * 40)
    const journal = await openSqliteJournal({ path })
    const streams = ['chat_common', ...Array.from({ length: 50 }, (_, number) => `chat_new_${number}`)]
    const stored = new Map<string, string>()
    for (const stream of streams) {
      for (const { seq, event } of await journal.read(stream as 'chat_')) {
        stored.set(`won ${stream} ${seq}`, event.type === 'guidance.given' ? event.text : '')
      }
    }
    expect(stored).toEqual(new Map([...won].sort(([a], [b]) => compareLines(a, b, streams))))
    await journal.close()
  })

  it('hold what a killed process had acknowledged, and let its stream be taken over at once', async () => {
    const path = join(await tempFolder(), 'journal.db')
    const writer = start('writer', path, 'chat_1')
    const acknowledged = (await lines(writer, 60)).length
    const survivor = await openSqliteJournal({ path })
    expect(await survivor.acquire('chat_1')).toEqual({ acquired: false, owner: `process ${writer.pid}` })
    writer.kill('SIGKILL')
    await once(writer, 'exit')

    expect(await survivor.acquire('chat_1')).toEqual({ acquired: true })
    const events = await survivor.read('chat_1')
    expect(events.length).toBeGreaterThanOrEqual(acknowledged)
    expect(await survivor.search('event', 1_000_000)).toHaveLength(events.length)
    await survivor.append(commitOf('chat_1', events.length, ['goes on']))
    await survivor.close()
  })

  it('hold what a killed process had acknowledged when nobody else had the file open', async () => {
    const path = join(await tempFolder(), 'journal.db')
    const writer = start('writer', path, 'chat_1')
    const acknowledged = (await lines(writer, 60)).length
    writer.kill('SIGKILL')
    await once(writer, 'exit')

    const journal = await openSqliteJournal({ path })
    const events = await journal.read('chat_1')
    expect(events.length).toBeGreaterThanOrEqual(acknowledged)
    expect(events.map(({ event }) => event.type === 'guidance.given' && event.text)).toEqual(
      events.map(({ seq }) => `event ${seq}`),
    )
    expect(await journal.acquire('chat_1')).toEqual({ acquired: true })
    await journal.close()
  })

  it('say so when another program keeps the file locked, and go on when it is free', async () => {
    const path = join(await tempFolder(), 'journal.db')
    const journal = await openSqliteJournal({ path, busyTimeout: 50 })
    await journal.append(commitOf('chat_1', 0, ['a']))
    const holder = start('holder', path)
    await lines(holder, 1)

    expect(await problemOf(journal.append(commitOf('chat_1', 1, ['x'])))).toBe('locked')
    expect(await problemOf(journal.acquire('chat_2'))).toBe('locked')
    await expect(journal.remove('chat_1')).rejects.toThrow(path)
    expect(await journal.read('chat_1')).toHaveLength(1)
    holder.stdin.end()
    await once(holder, 'exit')
    await journal.append(commitOf('chat_1', 1, ['b']))
    expect(await journal.read('chat_1')).toHaveLength(2)
    await journal.close()
  })

  it('print nothing of their own', async () => {
    const path = join(await tempFolder(), 'journal.db')
    const { stdout, stderr } = spawnSync(process.execPath, [fixture('writer'), path, 'chat_1', '2'], {
      encoding: 'utf8',
    })

    expect({ stdout, stderr }).toEqual({ stdout: '1\n2\n', stderr: '' })
  })

  const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
  it.runIf(canTrace)('sync at least once for each acknowledged commit', async () => {
    const folder = await tempFolder()
    const trace = join(folder, 'trace')
    const writer = [process.execPath, fixture('writer'), join(folder, 'journal.db'), 'chat_1', '50']
    const { status } = spawnSync('strace', [
      '-f',
      '-e',
      'trace=fsync,fdatasync,write',
      '-o',
      trace,
      ...writer,
    ])
    expect(status).toBe(0)

    let synced = false
    let unsynced = 0
    let acknowledged = 0
    for (const line of (await readFile(trace, 'utf8')).split('\n')) {
      if (/ f(?:data)?sync\(/u.test(line)) synced = true
      if (!/ write\(1, "\d+\\n"/u.test(line)) continue
      acknowledged++
      if (!synced) unsynced++
      synced = false
    }
    expect({ acknowledged, unsynced }).toEqual({ acknowledged: 50, unsynced: 0 })
  })
})

function compareLines(a: string, b: string, streams: string[]): number {
  const [, streamA = '', seqA] = a.split(' ')
  const [, streamB = '', seqB] = b.split(' ')
  return streams.indexOf(streamA) - streams.indexOf(streamB) || Number(seqA) - Number(seqB)
}
