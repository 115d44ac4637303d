import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config/load.ts'
import { contextOf, reachOf, runIn, useDocker } from '../support/docker.ts'
import { testWith } from '../support/needs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const docker = useDocker()

// Security test 14.
testWith(
  'docker',
  'has no rights, no network, no privileges and bounded means, whichever container it is',
  async () => {
    const folder = temporaryFolder()
    const containers = await docker.open()
    const shell = containers.shell({ key: 'a', reach: reachOf(folder) })
    const facts = `grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status; ls /sys/class/net`
    for (const access of ['write', 'read'] as const) {
      const { output } = await runIn(shell, folder, facts, { access })
      expect(output.split(/\s+/u).filter(Boolean)).toEqual([
        ...['CapBnd:', '0000000000000000'].toSpliced(0, 0, 'CapEff:', '0000000000000000'),
        ...['NoNewPrivs:', '1', 'Seccomp:', '2', 'lo'],
      ])
    }
    const made = await docker.containers()
    expect(made).toHaveLength(2)
    for (const { HostConfig, Mounts, Config } of made) {
      expect(HostConfig).toMatchObject({
        Privileged: false,
        ReadonlyRootfs: true,
        CapDrop: ['ALL'],
        CapAdd: null,
        SecurityOpt: ['no-new-privileges'],
        NetworkMode: 'none',
        Memory: 512 * 1024 ** 2,
        MemorySwap: 512 * 1024 ** 2,
        PidsLimit: 128,
        PidMode: '',
        Devices: null,
        AutoRemove: true,
      })
      expect(HostConfig['NanoCpus']).toBeGreaterThan(0)
      expect(Mounts.map(({ Destination }) => Destination)).toEqual([folder])
      expect(Config.Env.join('\n')).not.toMatch(/KEY|TOKEN|SECRET/u)
    }
  },
)

// Security test 14.
testWith('docker', 'never mounts the way to the daemon, nor the machine itself', async () => {
  const folder = temporaryFolder()
  const containers = await docker.open()
  const refused = async (path: string) => {
    const reach = reachOf(folder, [contextOf(path)])
    return (await runIn(containers.shared(), folder, 'true', { reach })).output
  }
  expect(await refused(docker.socket)).toMatch(/never mounted|contains/)
  expect(await refused(docker.folder)).toContain('could control this machine')
  for (const never of ['/', '/proc', '/sys/fs', '/dev', '/run', '/etc', '/tmp'])
    expect(await refused(never)).toMatch(/part of the system/)
  expect(await docker.containers()).toEqual([])
})

// Security test 14.
test.each([
  ['network: host', /network: host would give/],
  ['network: "container:other"', /must be the name of a network/],
  ['network: "ns:/proc/1/ns/net"', /must be the name of a network/],
  ['privileged: true', /execution\.docker\.privileged is not a known key/],
  ['user: root', /execution\.docker\.user is not a known key/],
  ['cap_add: [SYS_ADMIN]', /execution\.docker\.cap_add is not a known key/],
  ['volumes: ["/var/run/docker.sock:/var/run/docker.sock"]', /execution\.docker\.volumes is not a known key/],
  ['image: "--privileged"', /must be the name of an image/],
  ['memory: lots', /must be a size/],
  ['pids: -1', /pids/],
])('a config with %s is refused at its place', (line, problem) => {
  const source = `agents: [{ id: a, backend: { type: rehearsal } }]\nexecution:\n  mode: docker\n  docker:\n    ${line}\n`
  const loaded = parseConfig('conclave.yaml', source)
  if (loaded.ok) throw new Error('it was taken')
  expect(loaded.problems).toEqual([
    expect.objectContaining({ file: 'conclave.yaml', line: 5, message: expect.stringMatching(problem) }),
  ])
})

// Security test 18.
testWith('docker', 'gives what a command writes to the owner of the folder', async () => {
  const containers = await docker.open()
  for (const [uid, gid] of [
    [1234, 2345],
    [0, 0],
  ] as const) {
    const folder = temporaryFolder()
    fs.chownSync(folder, uid, gid)
    const shell = containers.shell({ key: folder, reach: reachOf(folder) })
    const { output } = await runIn(
      shell,
      folder,
      'id -u; mkdir -p deep/er; echo x > deep/er/file; chown 0:0 deep; chmod u+s deep/er/file',
    )
    expect(output).toMatch(new RegExp(`^${uid}\n`))
    const owners = ['deep', 'deep/er', 'deep/er/file'].map((name) => fs.statSync(path.join(folder, name)))
    expect(owners.map((stat) => [stat.uid, stat.gid])).toEqual(owners.map(() => [uid, gid]))
  }
})

testWith('docker', 'keeps protected names as they are, those that exist and those that do not', async () => {
  const folder = temporaryFolder()
  fs.mkdirSync(path.join(folder, '.git/hooks'), { recursive: true })
  fs.writeFileSync(path.join(folder, '.git/config'), '[core]\n')
  fs.writeFileSync(path.join(folder, 'conclave.yaml'), 'agents: []\n')
  const shell = (await docker.open()).shared()
  const attempt = (command: string) => runIn(shell, folder, command)
  for (const target of ['.git/hooks/pre-commit', '.git/config', 'conclave.yaml'])
    expect(await attempt(`echo evil >> ${target}`)).toMatchObject({
      output: expect.stringContaining('Read-only'),
    })
  expect(await attempt('mv .git other')).not.toMatchObject({ exit_code: 0 })
  expect(await attempt('echo ok > .git/index')).toMatchObject({ exit_code: 0 })
  expect(await attempt('echo evil > .mcp.json; mkdir -p sub/.git')).toMatchObject({
    output: expect.stringContaining('a command may not make .mcp.json'),
  })
  expect(fs.existsSync(path.join(folder, '.mcp.json'))).toBe(false)
  expect(fs.existsSync(path.join(folder, 'sub/.git'))).toBe(false)
  expect(fs.readFileSync(path.join(folder, '.git/config'), 'utf8')).toBe('[core]\n')
})

testWith('docker', 'protects what a person has made or replaced since the container was', async () => {
  const folder = temporaryFolder()
  const shell = (await docker.open()).shared()
  await runIn(shell, folder, 'true')
  const config = path.join(folder, 'conclave.yaml')
  fs.writeFileSync(config, 'mine\n')
  expect(await runIn(shell, folder, 'echo evil > conclave.yaml')).toMatchObject({ exit_code: 1 })
  fs.writeFileSync(`${config}.new`, 'mine again\n')
  fs.renameSync(`${config}.new`, config)
  expect(await runIn(shell, folder, 'echo evil > conclave.yaml')).toMatchObject({ exit_code: 1 })
  expect(fs.readFileSync(config, 'utf8')).toBe('mine again\n')
})

testWith('docker', 'hides our own folder where it lies inside the granted one', async () => {
  const folder = temporaryFolder()
  const data = path.join(folder, 'data')
  fs.mkdirSync(data)
  fs.writeFileSync(path.join(data, 'journal.db'), 'secret')
  const containers = await docker.open({}, [data])
  const { output } = await runIn(containers.shared(), folder, 'cat data/journal.db; ls -A data; echo .')
  expect(output).toBe(`cat: can't open 'data/journal.db': No such file or directory\n.\n`)
})
