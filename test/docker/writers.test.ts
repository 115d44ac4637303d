import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { openFiles } from '../../src/adapters/files/gateway.ts'
import { openUndo } from '../../src/cli/undo.ts'
import type { Containers } from '../../src/ports/container.ts'
import { type Inspected, contextOf, reachOf, runIn, useDocker } from '../support/docker.ts'
import { testWith } from '../support/needs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const docker = useDocker()

/** Paths that can be written in more than one container. */
function writtenTwice(containers: Inspected[]): string[] {
  const all = containers.flatMap(({ Mounts }) => [
    ...new Set(Mounts.flatMap(({ Destination, RW }) => (RW ? [Destination] : []))),
  ])
  return all.filter((path, index) =>
    all.some((other, at) => at !== index && (other === path || path.startsWith(`${other}/`))),
  )
}

// Security test 15, and what MODE-11.2 needs of containers.
testWith('docker', 'no agent of a team can write a context path until one of them presents', async () => {
  const context = temporaryFolder()
  const containers = await docker.open()
  const agents = ['a', 'b', 'c'].map((key) => {
    const workspace = temporaryFolder()
    const shell = containers.shell({ key, run: 'r', reach: reachOf(workspace, [contextOf(context)]) })
    return { key, workspace, shell }
  })
  const tries = await Promise.all(
    agents.map(({ shell, workspace, key }) =>
      runIn(shell, workspace, `echo ${key} > mine; echo ${key} > ${context}/x`),
    ),
  )
  for (const { output } of tries) expect(output).toContain('Read-only file system')
  expect(fs.readdirSync(context)).toEqual([])
  expect(writtenTwice(await docker.containers())).toEqual([])

  const [presenter, other] = agents
  if (!presenter || !other) throw new Error('there are three')
  const present = (agent: typeof presenter) =>
    containers.recreate(agent.key, reachOf(agent.workspace, [contextOf(context, 'write')]))
  expect(await present(presenter)).toMatchObject({ ready: true })
  expect(await runIn(presenter.shell, presenter.workspace, `cp mine ${context}/final`)).toMatchObject({
    exit_code: 0,
  })
  expect(await runIn(other.shell, other.workspace, `rm ${context}/final`)).not.toMatchObject({ exit_code: 0 })
  expect(fs.readFileSync(path.join(context, 'final'), 'utf8')).toBe('a\n')
  expect(writtenTwice(await docker.containers())).toEqual([])
})

// Security test 15.
testWith(
  'docker',
  'a second writer is refused while the first is at work, and takes over when it is idle',
  async () => {
    const context = temporaryFolder()
    const containers = await docker.open()
    const [one, two] = [temporaryFolder(), temporaryFolder()]
    const write = (workspace: string) => reachOf(workspace, [contextOf(context, 'write')])
    const first = containers.shell({ key: 'one', reach: write(one) })
    await runIn(first, one, 'true')
    const working = runIn(first, one, `sleep 1; echo one > ${context}/file`)
    const refused = await containers.recreate('two', write(two))
    expect(refused).toMatchObject({
      ready: false,
      failure: {
        kind: 'sandbox',
        message: expect.stringContaining('cannot be writable in two containers at once'),
      },
    })
    expect(await working).toMatchObject({ exit_code: 0 })
    expect(await containers.recreate('two', write(two))).toMatchObject({ ready: true })
    const all = await docker.containers()
    expect(all).toHaveLength(1)
    expect(writtenTwice(all)).toEqual([])
  },
)

// Security test 15.
testWith('docker', 'another process is seen too, whichever of the two is first', async () => {
  const folder = temporaryFolder()
  const opened: Containers[] = [await docker.open(), await docker.open()]
  const results = await Promise.all(
    opened.map((each) => runIn(each.shared(), folder, 'echo x >> file; sleep 0.3')),
  )
  expect(results.filter(({ exit_code }) => exit_code === 0).length).toBeLessThanOrEqual(1)
  expect(results.map(({ output }) => output).join()).toContain('two containers at once')
  expect(await docker.containers()).toHaveLength(results.filter(({ exit_code }) => exit_code === 0).length)
})

// What MODE-11.1 needs of containers.
testWith('docker', 'a single agent can write from its first command, but not what is protected', async () => {
  const [workspace, context] = [temporaryFolder(), temporaryFolder()]
  fs.mkdirSync(path.join(context, 'keep'))
  fs.writeFileSync(path.join(context, 'keep/file'), 'kept')
  const spared = [path.join(context, 'keep'), path.join(context, 'absent')]
  const reach = reachOf(workspace, [contextOf(context, 'write', spared)])
  const shell = (await docker.open()).shell({ key: 'single', reach })
  expect(await runIn(shell, workspace, `echo x > ${context}/new`)).toMatchObject({ exit_code: 0 })
  expect(await runIn(shell, workspace, `echo x > ${context}/keep/file`)).toMatchObject({ exit_code: 1 })
  expect(await runIn(shell, workspace, `mv ${context}/keep ${context}/gone`)).not.toMatchObject({
    exit_code: 0,
  })
  expect(await runIn(shell, workspace, `echo x > ${context}/absent`)).toMatchObject({
    output: expect.stringContaining('a command may not make'),
  })
  expect(fs.readFileSync(path.join(context, 'keep/file'), 'utf8')).toBe('kept')
  expect(fs.existsSync(path.join(context, 'absent'))).toBe(false)
  const listing = await runIn(shell, workspace, `rm ${context}/new`, { access: 'read' })
  expect(listing.output).toContain('Read-only file system')
})

testWith('docker', 'the narrowest rule holds, and a path that became a link is refused', async () => {
  const outer = temporaryFolder()
  fs.mkdirSync(path.join(outer, 'closed/open'), { recursive: true })
  const reach = reachOf(outer, [
    contextOf(path.join(outer, 'closed')),
    contextOf(path.join(outer, 'closed/open'), 'write'),
  ])
  const shell = (await docker.open()).shared()
  const run = (command: string) => runIn(shell, outer, command, { reach })
  expect(await run('echo x > closed/open/in && echo x > top')).toMatchObject({ exit_code: 0 })
  expect(await run('echo x > closed/no')).toMatchObject({ exit_code: 1 })
  fs.renameSync(path.join(outer, 'closed/open'), path.join(outer, 'moved'))
  fs.symlinkSync('/', path.join(outer, 'closed/open'))
  expect(await run('true')).toMatchObject({
    ended_by: 'start_failed',
    output: expect.stringContaining('link'),
  })
})

// Security test 16.
testWith('docker', 'a link that a container plants is followed by nothing on the host', async () => {
  const folder = temporaryFolder()
  const secret = path.join(temporaryFolder(), 'secret')
  fs.writeFileSync(secret, 'host secret')
  const undo = openUndo(temporaryFolder())
  const changes = await undo.watch.begin(folder)
  const shell = (await docker.open()).shared()
  const planted = await runIn(
    shell,
    folder,
    `ln -s ${secret} link; ln -s ${path.dirname(secret)} dir; cat link`,
  )
  expect(planted.output).toContain('No such file')
  expect(fs.readFileSync(path.join(folder, 'link'), 'utf8')).toBe('host secret')
  const files = openFiles(folder)
  for (const name of ['link', 'dir/secret']) {
    expect(await files.read(name)).toHaveProperty('refused')
    expect(await files.readWhole(name)).toHaveProperty('refused')
    expect(await files.write(name, 'x', { create: false })).toHaveProperty('refused')
  }
  expect(JSON.stringify(await changes())).not.toContain('host secret')
  expect(fs.readFileSync(secret, 'utf8')).toBe('host secret')
})
