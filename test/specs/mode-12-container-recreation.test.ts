import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { contextOf, reachOf, runIn, useDocker } from '../support/docker.ts'
import { testWith } from '../support/needs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const docker = useDocker()

testWith(
  'docker',
  'MODE-12.1 the container is removed and made anew with writable context paths',
  async () => {
    const [workspace, context] = [temporaryFolder(), temporaryFolder()]
    const containers = await docker.open()
    const agent = {
      key: 'agent1',
      run: 'run1',
      reach: reachOf(workspace, [contextOf(context)]),
      environment: { A: '1' },
    }
    const shell = containers.shell(agent)
    await runIn(shell, workspace, 'echo draft > draft.txt')
    const [before] = await docker.containers()

    const recreated = await containers.recreate('agent1', reachOf(workspace, [contextOf(context, 'write')]))

    const after = await docker.containers()
    expect(after.map(({ Id }) => Id)).toEqual([recreated.ready ? recreated.container : ''])
    expect(after[0]?.Id).not.toBe(before?.Id)
    expect(after[0]?.Mounts).toContainEqual(expect.objectContaining({ Destination: context, RW: true }))
    const result = await runIn(
      shell,
      workspace,
      `cp draft.txt ${context}/final.txt && mv draft.txt ${context}/ && echo $A; pwd`,
    )
    expect(result).toEqual({ exit_code: 0, output: `1\n${workspace}\n` })
    expect(fs.readdirSync(context).sort()).toEqual(['draft.txt', 'final.txt'])
  },
)

testWith(
  'docker',
  'MODE-12.2 without recreation commands fail on the read-only file system, with it they work',
  async () => {
    const [workspace, context] = [temporaryFolder(), temporaryFolder()]
    fs.writeFileSync(path.join(context, 'kept.txt'), 'kept')
    const containers = await docker.open()
    const shell = containers.shell({ key: 'agent1', reach: reachOf(workspace, [contextOf(context)]) })
    for (const command of [
      `rm ${context}/kept.txt`,
      `cp /bin/sh ${context}/`,
      `mv ${context}/kept.txt ${workspace}/`,
    ]) {
      const { exit_code, output } = await runIn(shell, workspace, command)
      expect([command, exit_code !== 0, output]).toEqual([
        command,
        true,
        expect.stringContaining('Read-only file system'),
      ])
    }
    expect(fs.readFileSync(path.join(context, 'kept.txt'), 'utf8')).toBe('kept')
    await containers.recreate('agent1', reachOf(workspace, [contextOf(context, 'write')]))
    expect(await runIn(shell, workspace, `rm ${context}/kept.txt`)).toEqual({ exit_code: 0, output: '' })
    expect(fs.readdirSync(context)).toEqual([])
  },
)
