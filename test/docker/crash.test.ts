import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { openContainers } from '../../src/adapters/docker/open-containers.ts'
import { reachOf, runIn, useDocker } from '../support/docker.ts'
import { testWith } from '../support/needs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { betweenUs } from './between-us.ts'
import { settings } from './settings.ts'

const docker = useDocker()
const script = path.join(import.meta.dirname, 'agent-process.ts')

/** Another process with a container of its own. */
function startAgent(folder: string, args: string[], host = docker.host): ChildProcess {
  const child = spawn(process.execPath, [script, folder, ...args], {
    env: { PATH: process.env['PATH'], DOCKER_HOST: host },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const saysReady = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => child.stdout?.once('data', resolve))

const ended = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once('exit', resolve))

testWith(
  'docker',
  'no container outlives a process that was killed, and neither does what ran in it',
  async () => {
    const folder = temporaryFolder()
    const child = startAgent(folder, ['while :; do date >> beat; sleep 0.05; done'])
    await saysReady(child)
    while (!fs.existsSync(path.join(folder, 'beat'))) await sleep(10)
    const gone = ended(child)
    child.kill('SIGKILL')
    await gone
    expect(await docker.whatStays()).toEqual([])
    const beats = fs.statSync(path.join(folder, 'beat')).size
    await sleep(200)
    expect(fs.statSync(path.join(folder, 'beat')).size).toBe(beats)
  },
)

testWith(
  'docker',
  'what a killed process left behind is removed at the next start, and nothing of the living',
  async () => {
    const [folder, other] = [temporaryFolder(), temporaryFolder()]
    const child = startAgent(folder, ['sleep 300'])
    await saysReady(child)
    const living = startAgent(other, ['sleep 300'])
    await saysReady(living)
    const containers = await docker.containers()
    const owners = containers.map(
      ({ Config }) => JSON.parse(Config.Labels['conclave.owner'] ?? '') as { pid: number },
    )
    expect(owners.map(({ pid }) => pid).sort()).toEqual([child.pid, living.pid].sort())
    // A container that does not notice its end, as one created but never started.
    const left = containers.find((_, index) => owners[index]?.pid === child.pid)
    const labels = left?.Config.Labels
    await docker.api.call('POST', '/containers/create', {
      Image: settings.image,
      Cmd: ['true'],
      Labels: labels,
    })
    const foreign = { Image: settings.image, Cmd: ['true'], Labels: { somebody: 'else' } }
    const { Id: stranger } = (await docker.api.call('POST', '/containers/create', foreign)) as { Id: string }
    const gone = ended(child)
    child.kill('SIGKILL')
    await gone

    const mine = await docker.open()
    expect(await runIn(mine.shared(), temporaryFolder(), 'echo mine')).toEqual({
      exit_code: 0,
      output: 'mine\n',
    })

    const now = (await docker.containers()).map(({ Config }) => Config.Labels)
    const pids = now.flatMap((each) =>
      each['conclave.owner'] ? [(JSON.parse(each['conclave.owner']) as { pid: number }).pid] : [],
    )
    expect(pids.sort()).toEqual([living.pid, process.pid].sort())
    await docker.api.call('DELETE', `/containers/${stranger}`)
    living.kill('SIGKILL')
    await mine.close()
    expect(await docker.whatStays()).toEqual([])
  },
)

// Security test 17.
testWith(
  'docker',
  'a process killed between removing and creating leaves nothing, and the next one goes on',
  async () => {
    const folder = temporaryFolder()
    const { host, onCreate } = await betweenUs(docker)
    const child = startAgent(folder, ['', 'recreate'], host)
    let output = ''
    child.stdout?.on('data', (text) => (output += text))
    let created = 0
    onCreate(() => {
      created += 1
      if (created === 2) child.kill('SIGKILL')
      return created < 2
    })
    await ended(child)
    expect(output).toBe('ready\n')
    expect(await docker.whatStays()).toEqual([])
    const containers = await docker.open()
    expect(await containers.recreate('agent', reachOf(folder))).toMatchObject({ ready: true })
    const shell = containers.shell({ key: 'agent', reach: reachOf(folder) })
    expect(await runIn(shell, folder, 'echo on > file; cat file')).toEqual({ exit_code: 0, output: 'on\n' })
    expect(await docker.containers()).toHaveLength(1)
  },
)

// Security test 17.
testWith(
  'docker',
  'says clearly that there is no daemon or no image, and runs nothing elsewhere',
  async () => {
    const environment = { DOCKER_HOST: docker.host }
    const without = await openContainers({
      settings: { ...settings, image: 'nowhere/nothing:1' },
      environment,
    })
    expect(without).toEqual({
      failure: {
        kind: 'sandbox',
        message:
          'no Docker: the daemon has no image nowhere/nothing:1; fetch it with: docker pull nowhere/nothing:1',
        hint: expect.any(String),
      },
    })
    const nobody = await openContainers({ settings, environment: { DOCKER_HOST: 'unix:///nowhere.sock' } })
    expect(nobody).toMatchObject({
      failure: { message: expect.stringContaining('there is no socket at /nowhere.sock') },
    })
    const network = await openContainers({ settings, environment: { DOCKER_HOST: 'tcp://127.0.0.1:2375' } })
    expect(network).toMatchObject({ failure: { message: expect.stringContaining('only over unix:///path') } })
  },
)

// Security test 17.
testWith(
  'docker',
  'a daemon that goes away ends the command, and commands work again when it is back',
  async () => {
    const folder = temporaryFolder()
    const containers = await docker.open()
    const shell = containers.shared()
    await runIn(shell, folder, 'true')
    const running = runIn(shell, folder, 'echo begun; sleep 300')
    await sleep(200)
    await docker.halt()
    expect(await running).toMatchObject({ exit_code: null })
    expect(await runIn(shell, folder, 'touch here')).toMatchObject({
      ended_by: 'start_failed',
      output: expect.stringContaining('is the daemon running?'),
    })
    expect(await containers.recreate(folder, reachOf(folder))).toMatchObject({ ready: false })
    expect(fs.readdirSync(folder)).toEqual([])
    await docker.start()
    expect(await runIn(shell, folder, 'echo back')).toEqual({ exit_code: 0, output: 'back\n' })
    expect(await docker.containers()).toHaveLength(1)
  },
)
