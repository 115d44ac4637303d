import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { currentOwner, livingOwner, type ProcessOwner } from './process-owner.ts'

const NOW = (): string => new Date().toISOString()
const LONG_AGO = '2020-01-01T00:00:00.000Z'
const self = currentOwner()

const ask = (change: Partial<ProcessOwner>, lastSign = NOW()): string | undefined =>
  livingOwner(JSON.stringify({ ...self, instance: 'other', ...change }), self, lastSign)

describe('the owner of a stream', () => {
  it('is the living process it names, however long it was silent', () => {
    expect(ask({}, LONG_AGO)).toBe(`process ${process.pid}`)
    expect(ask({ label: 'the web server' })).toBe('the web server')
    expect(ask({ pid: process.ppid, started: startOf(process.ppid) })).toBe(`process ${process.ppid}`)
  })

  it('differs between journals of one process', () => {
    expect(currentOwner().instance).not.toBe(currentOwner().instance)
  })

  it('is nobody when the process has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    const owner = { pid: child.pid ?? 0, started: startOf(child.pid ?? 0) }
    expect(ask(owner)).toBe(`process ${child.pid}`)
    child.kill('SIGKILL')
    await once(child, 'exit')

    expect(ask(owner)).toBeUndefined()
  })

  it('is nobody when the machine was started anew since', () => {
    expect(ask({ boot: 'another boot' })).toBeUndefined()
  })

  it('on another host keeps its stream for a while only', () => {
    const elsewhere = { host: 'elsewhere', boot: 'another boot', pid: 4711 }
    expect(ask(elsewhere)).toBe('process 4711 on elsewhere')
    expect(ask(elsewhere, LONG_AGO)).toBeUndefined()
    expect(ask(elsewhere, 'no time')).toBeUndefined()
  })

  it('that cannot be understood keeps its stream for a while only', () => {
    for (const stored of ['', '{', 'null', '[]', '{"pid":"x"}']) {
      expect(livingOwner(stored, self, NOW())).toBe('another process')
      expect(livingOwner(stored, self, LONG_AGO)).toBeUndefined()
    }
  })

  describe.runIf(existsSync('/proc/self/stat'))('on Linux', () => {
    it('is nobody when its pid was given to another process', () => {
      expect(ask({ started: '1' })).toBeUndefined()
    })

    it('in another container keeps its stream for a while only', () => {
      expect(ask({ pids: 'pid:[1]', host: 'container' })).toBe(`process ${process.pid} on container`)
      expect(ask({ pids: 'pid:[1]', host: 'container' }, LONG_AGO)).toBeUndefined()
    })

    it('is nobody when the process is a zombie', async () => {
      // The shell becomes a program that never reaps the child it has started; only then may the child end.
      const parent = spawn('sh', ['-c', 'exec 3<&0; sh -c "read line <&3" & echo $!; exec sleep 30'])
      onTestFinished(() => void parent.kill('SIGKILL'))
      const [output] = (await once(parent.stdout, 'data')) as [Buffer]
      const pid = Number(output.toString())
      await until(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n')
      parent.stdin.end('\n')
      await until(() => statOf(pid).startsWith('Z'))

      expect(ask({ pid, started: startOf(pid) })).toBeUndefined()
    })
  })
})

function statOf(pid: number): string {
  if (!existsSync(`/proc/${pid}/stat`)) return ''
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2)
}

const startOf = (pid: number): string => statOf(pid).split(' ')[19] ?? ''

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resume) => setTimeout(resume, 5))
}
