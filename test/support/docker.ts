import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { EngineApi } from '../../src/adapters/docker/engine-api.ts'
import { openContainers } from '../../src/adapters/docker/open-containers.ts'
import type { Containers } from '../../src/ports/container.ts'
import type { Shell, ShellRequest, ShellResult } from '../../src/ports/shell.ts'
import type { DockerSettings } from '../../src/schema/docker-settings.ts'
import type { Reach } from '../../src/schema/reach.ts'
import { IMAGE, settings } from '../docker/settings.ts'
import { needs } from './needs.ts'

/** A Docker daemon of the test file's own: another data folder, another socket, and gone with the file. */
export function useDocker(): Docker {
  const docker = new Docker()
  beforeAll(async () => {
    if (needs('docker')) await docker.start()
  }, 60_000)
  afterAll(() => docker.stop(), 60_000)
  return docker
}

export class Docker {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'conclave-docker-'))
  readonly socket = path.join(this.folder, 'docker.sock')
  readonly host = `unix://${this.socket}`
  readonly api = new EngineApi(this.socket)
  #daemon: ChildProcess | undefined

  async start(): Promise<void> {
    const places = ['data-root', 'exec-root', 'pidfile'].map(
      (name) => `--${name}=${path.join(this.folder, name)}`,
    )
    const log = fs.openSync(path.join(this.folder, 'log'), 'a')
    const args = [...places, '-H', this.host, '--bridge=none', '--iptables=false']
    // It ends with the tests, however they end; what it mounts, nobody else sees.
    const kept = ['--pdeathsig', 'TERM', 'unshare', '--mount', 'dockerd']
    this.#daemon = spawn('setpriv', [...kept, ...args], {
      stdio: ['ignore', log, log],
    })
    fs.closeSync(log)
    await this.#whenReady()
    if (!(await this.#hasImage())) this.#importImage()
  }

  /** Kills the daemon and its containers' keepers; what it had on disk stays for the next start. */
  async stop(): Promise<void> {
    await this.halt()
    fs.rmSync(this.folder, { recursive: true, force: true })
  }

  async halt(): Promise<void> {
    const daemon = this.#daemon
    this.#daemon = undefined
    if (!daemon || daemon.exitCode !== null) return
    const ended = new Promise((resolve) => daemon.once('exit', resolve))
    daemon.kill('SIGTERM')
    await ended
  }

  async open(more: Partial<DockerSettings> = {}, ours: string[] = []): Promise<Containers> {
    const environment = { DOCKER_HOST: this.host }
    const opened = await openContainers({ settings: { ...settings, ...more }, ours, environment })
    if ('failure' in opened) throw new Error(opened.failure.message)
    onTestFinished(() => opened.containers.close())
    return opened.containers
  }

  /** The containers there are, running or not, with what they were made from. */
  async containers(): Promise<Inspected[]> {
    const all = (await this.api.call('GET', '/containers/json?all=1')) as { Id: string }[]
    const inspected = all.map(({ Id }) =>
      this.api.call('GET', `/containers/${Id}/json`).catch(() => undefined),
    )
    return (await Promise.all(inspected)).filter((each) => each !== undefined) as Inspected[]
  }

  /** Waits until none is left, but not for ever; tells which are. */
  async whatStays(): Promise<string[]> {
    for (let round = 0; round < 200 && (await this.containers()).length > 0; round += 1) await sleep(25)
    return (await this.containers()).map(({ Id }) => Id)
  }

  async #whenReady(): Promise<void> {
    for (;;) {
      if (this.#daemon?.exitCode !== null)
        throw new Error(
          `dockerd did not start: ${fs.readFileSync(path.join(this.folder, 'log'), 'utf8').slice(-2_000)}`,
        )
      try {
        await this.api.call('GET', '/version')
        return
      } catch {
        await sleep(20)
      }
    }
  }

  async #hasImage(): Promise<boolean> {
    return this.api.call('GET', `/images/${IMAGE}/json`).then(
      () => true,
      () => false,
    )
  }

  #importImage(): void {
    const root = path.join(this.folder, 'image')
    fs.mkdirSync(path.join(root, 'bin'), { recursive: true })
    fs.mkdirSync(path.join(root, 'tmp'))
    fs.chmodSync(path.join(root, 'tmp'), 0o1777)
    const busybox = execFileSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).trim()
    fs.copyFileSync(busybox, path.join(root, 'bin/busybox'))
    const applets = execFileSync('busybox', ['--list'], { encoding: 'utf8' }).trim().split('\n')
    for (const name of applets)
      if (name !== 'busybox') fs.symlinkSync('busybox', path.join(root, 'bin', path.basename(name)))
    execFileSync('sh', ['-c', 'tar -C "$1" -c . | docker import - "$2"', 'sh', root, IMAGE], {
      env: { ...process.env, DOCKER_HOST: this.host },
      stdio: 'ignore',
    })
  }
}

export interface Inspected {
  Id: string
  Config: { User: string; Labels: Record<string, string>; Env: string[] }
  State: { Running: boolean; Pid: number }
  HostConfig: Record<string, unknown> & { SecurityOpt: string[]; Memory: number }
  Mounts: { Type: string; Source: string; Destination: string; RW: boolean }[]
}

export const reachOf = (root: string, context: Reach['context'] = []): Reach => ({
  root,
  root_access: 'write',
  context,
})

/** A context path with the right to write, or without it. */
export const contextOf = (
  path: string,
  permission: 'read' | 'write' = 'read',
  protected_paths: string[] = [],
): Reach['context'][number] => ({ path, permission, protected_paths })

/** Runs a command in a folder with an agent's shell. */
export const runIn = (
  shell: Shell,
  cwd: string,
  command: string,
  more: Partial<ShellRequest> = {},
): Promise<ShellResult> =>
  shell.run({
    command,
    cwd,
    timeout_ms: 20_000,
    access: 'write',
    signal: new AbortController().signal,
    ...more,
  })
