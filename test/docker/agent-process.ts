// Another process with a container: `agent-process.ts <folder> <command> [recreate]`, DOCKER_HOST set. Says what it did.
import { openContainers } from '../../src/adapters/docker/open-containers.ts'
import type { Reach } from '../../src/schema/reach.ts'
import { settings } from './settings.ts'

const [folder = '', command = '', recreate] = process.argv.slice(2)
const opened = await openContainers({ settings })
if ('failure' in opened) throw new Error(opened.failure.message)
const reach: Reach = { root: folder, root_access: 'write', context: [] }
const shell = opened.containers.shell({ key: 'agent', reach })
const run = (line: string) =>
  shell.run({
    command: line,
    cwd: folder,
    timeout_ms: 60_000,
    access: 'write',
    signal: new AbortController().signal,
  })
await run('true')
process.stdout.write('ready\n')
if (recreate === undefined) await run(command)
else await opened.containers.recreate('agent', reach)
process.stdout.write('done\n')
