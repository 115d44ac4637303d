import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { useDocker } from '../support/docker.ts'
import { testWith } from '../support/needs.ts'
import { Program } from '../support/program.ts'
import { IMAGE } from './settings.ts'

const docker = useDocker()

const shellCall = (command: string) => ({ calls: [{ id: '1', name: 'shell', input: { command } }] })

testWith(
  'docker',
  '--docker runs the commands of a chat in a container, and nothing of it is left',
  async () => {
    const program = new Program()
    const command = 'hostname > where.txt; ls / > root.txt'
    const model = program.replies(shellCall(command), { text: 'Done.' })
    const args = ['-p', 'go', model, '--permission-mode', 'auto', '--docker', IMAGE]
    const { code, stdout, stderr } = await program.run(args, { env: { DOCKER_HOST: docker.host } })
    expect([code, stdout, stderr]).toEqual([0, 'Done.\n', ''])
    const read = (name: string) => fs.readFileSync(path.join(program.folder, name), 'utf8')
    expect(read('where.txt')).toBe('conclave\n')
    expect(read('root.txt')).not.toMatch(/^usr$/m)
    expect(await docker.whatStays()).toEqual([])
  },
)

testWith(
  'docker',
  'execution.mode: docker in the config does the same, also for commands that only look',
  async () => {
    const program = new Program({ 'kept.txt': 'kept' })
    const model = program.replies(shellCall('cat kept.txt; rm -f kept.txt'), { text: 'Seen.' })
    const file = model.slice(model.indexOf('/') + 1)
    program.configure(
      `agents: [{ id: a, backend: { type: scripted, file: "${file}" } }]\n` +
        `execution: { mode: docker, docker: { image: ${IMAGE}, memory: 256m, cpus: 1, pids: 64 } }\n`,
    )
    const env = { DOCKER_HOST: docker.host }
    const { code, stdout, stderr } = await program.run(
      ['-p', 'look', '--plan', '--output-format', 'stream-json'],
      { env },
    )
    expect([code, stderr]).toEqual([0, expect.any(String)])
    expect(stdout).toContain('Read-only file system')
    expect(fs.readFileSync(path.join(program.folder, 'kept.txt'), 'utf8')).toBe('kept')
    expect(await docker.whatStays()).toEqual([])
  },
)

testWith('docker', 'ends with 44 when the image or the daemon is missing, and runs nothing', async () => {
  const program = new Program()
  const model = program.replies(shellCall('touch ran'), { text: 'Done.' })
  const args = ['-p', 'go', model, '--permission-mode', 'auto', '--docker']
  const imageless = await program.run(args, { env: { DOCKER_HOST: docker.host } })
  expect(imageless).toMatchObject({
    code: 44,
    stdout: '',
    stderr: expect.stringContaining('conclave docker build'),
  })
  const daemonless = await program.run(args, { env: { DOCKER_HOST: 'unix:///nowhere/docker.sock' } })
  expect(daemonless).toMatchObject({ code: 44, stderr: expect.stringContaining('is the daemon running?') })
  const bad = await program.run([...args, '--privileged'], { env: { DOCKER_HOST: docker.host } })
  expect(bad.code).toBe(2)
  expect(fs.readdirSync(program.folder)).toEqual([])
})

testWith('docker', 'doctor shows the daemon, its version and the image', async () => {
  const program = new Program()
  const env = { DOCKER_HOST: docker.host }
  const { stdout } = await program.run(['doctor', '--docker', IMAGE], { env })
  expect(stdout).toMatch(new RegExp(`✔ docker +${docker.socket}, version [\\d.+a-z]+, image ${IMAGE}\n`))
  expect((await program.run(['doctor'], { env })).stdout).toMatch(/– docker .*conclave docker build/)
  expect((await program.run(['doctor', '--docker', 'none/such'], { env })).stdout).toMatch(
    /✖ docker .*docker pull/,
  )
})

testWith('docker', 'docker build says what to do where the base image cannot be fetched', async () => {
  const program = new Program()
  const { code, stderr } = await program.run(['docker', 'build'], { env: { DOCKER_HOST: docker.host } })
  expect([code, stderr]).toEqual([44, expect.stringContaining('the image conclave-agent could not be built')])
  expect(stderr).toContain('--docker <image>')
  const missing = await program.run(['docker', 'build'], {
    env: { DOCKER_HOST: 'unix:///nowhere/docker.sock' },
  })
  expect(missing).toMatchObject({ code: 44, stderr: expect.stringContaining('no socket at') })
  expect(await program.run(['docker', 'destroy'])).toMatchObject({ code: 2 })
})
