import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { type TrustStore, openTrustStore } from '../../adapters/trust/trust-store.ts'
import { neutralize } from '../../view/neutralize.ts'
import { type Args, usage } from '../args.ts'
import { Exit, exitCodes } from '../exit-codes.ts'
import { findFolder } from '../places.ts'
import { type Project, findProject, trustFile } from '../project.ts'

/** `conclave trust [folder]`: shows what a folder wants to have a say in, and records that the person agrees to it. */
export async function trust(args: Args): Promise<number> {
  const [named, ...more] = args.words
  if (more.length > 0) throw usage('conclave trust [folder] [--list | --revoke]')
  const store = openTrustStore(trustFile(args))
  if (args.has('list')) return list(store)
  const folder = named === undefined ? findFolder(args) : resolve(named)
  if (args.has('revoke')) return revoke(store, folder)
  return agree(
    args,
    store,
    findFolder({ ...args, value: (flag) => (flag === 'cd' ? folder : args.value(flag)) }),
  )
}

function list(store: TrustStore): number {
  const lines = store
    .list()
    .map(
      ([folder, { at, files }]) =>
        `${folder}  ${at.slice(0, 16).replace('T', ' ')}  ${Object.keys(files).join(', ')}`,
    )
  say(lines.length > 0 ? lines.join('\n') : 'No folder is trusted.')
  return exitCodes.done
}

/** Also for a folder that is gone: it may come back with something else in it. */
function revoke(store: TrustStore, folder: string): number {
  const known = [folder, realPath(folder)].map((path) => store.revoke(path)).includes(true)
  if (!known)
    throw new Exit(exitCodes.input, `${folder} is not trusted; conclave trust --list shows which are`)
  say(`${folder} is no longer trusted.`)
  return exitCodes.done
}

async function agree(args: Args, store: TrustStore, folder: string): Promise<number> {
  const { files, gaps } = await findProject(args, folder)
  if (files.length === 0) {
    say(`${folder} has nothing that needs trust: no config, instructions, skills, hooks or MCP servers.`)
    return exitCodes.done
  }
  const unusable = files.filter(({ bytes }) => !bytes).map(({ path }) => path)
  if (unusable.length > 0) {
    throw new Exit(exitCodes.input, `${unusable.join(', ')}: not a plain file, or too large to be looked at`)
  }
  store.set(folder, {
    at: new Date().toISOString(),
    files: Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256])),
  })
  say(`${folder} is trusted. These apply from now on, as long as no byte of them changes:`)
  say(describe(files, gaps).join('\n'))
  return exitCodes.done
}

const KINDS = {
  settings: 'config: models, addresses, MCP servers, rights',
  instructions: 'instructions to the agents',
  skill: 'a skill',
  hook: 'a hook that is run',
  memory: 'notes of earlier work, shown to the agents; these may change',
} as const

function describe(files: Project['files'], gaps: Project['gaps']): string[] {
  return files.map(({ kind, path, sha256, bytes }) => {
    const why = gaps.find((gap) => gap.path === path)?.why
    const news = why === undefined ? '' : `, ${why}`
    return `  ${path}  (${KINDS[kind]}; ${bytes?.length ?? 0} bytes${news})${kind === 'memory' ? '' : `\n    sha256 ${sha256}`}`
  })
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const say = (text: string): void => void process.stdout.write(`${neutralize(text)}\n`)
