import { spawnSync } from 'node:child_process'
import { EngineApi } from '../../adapters/docker/engine-api.ts'
import { findSocket } from '../../adapters/docker/find-socket.ts'
import { askDaemon, askImage, missingImage } from '../../adapters/docker/open-containers.ts'
import { bubblewrap } from '../../adapters/shell/bubblewrap.ts'
import { openSqliteJournal } from '../../adapters/journal/sqlite-journal.ts'
import { findKeys } from '../../adapters/models/detect/environment.ts'
import { findLocalServers } from '../../adapters/models/detect/local-servers.ts'
import { ripgrepProgram } from '../../tools/ripgrep.ts'
import { neutralize } from '../../view/neutralize.ts'
import { findAgents } from '../agents.ts'
import type { Args } from '../args.ts'
import { describeContextPath, findContextPaths } from '../context-paths.ts'
import { exitCodes } from '../exit-codes.ts'
import { loadModel } from '../load-model.ts'
import { dockerSettings, wantsDocker } from '../open-docker.ts'
import { findFolder, findJournal } from '../places.ts'

interface Finding {
  subject: string
  /** `note`: conclave works without it. */
  state: 'ok' | 'note' | 'broken'
  detail: string
}

/** `conclave doctor`: what works on this machine, tried for real. */
export async function doctor(args: Args): Promise<number> {
  const findings: Finding[] = [
    { subject: 'conclave', state: 'ok', detail: `${args.version} on Node ${process.versions.node}` },
    await checkStorage(args),
    await checkModels(args),
    ...(await checkContextPaths(args)),
    ...(await findOthers()),
    checkProgram(
      'search',
      ripgrepProgram() ?? 'ripgrep',
      ['--version'],
      'broken',
      'reinstall with npm install',
    ),
    checkSandbox(),
    await checkDocker(args),
    checkProgram('git', 'git', ['--version'], 'note', 'install git'),
  ]
  const marks = { ok: '✔', note: '–', broken: '✖' }
  const lines = findings.map(({ subject, state, detail }) => `${marks[state]} ${subject.padEnd(9)} ${detail}`)
  process.stdout.write(neutralize(`${lines.join('\n')}\n`))
  return findings.some(({ state }) => state === 'broken') ? exitCodes.failed : exitCodes.done
}

async function checkStorage(args: Args): Promise<Finding> {
  const path = findJournal(args)
  try {
    const journal = await openSqliteJournal({ path })
    const chats = await journal.list('chat')
    await journal.close()
    return { subject: 'storage', state: 'ok', detail: `${path}, ${chats.length} chats` }
  } catch (error) {
    return { subject: 'storage', state: 'broken', detail: (error as Error).message }
  }
}

async function checkModels(args: Args): Promise<Finding> {
  try {
    const { agents, base, source } = await findAgents(args, findFolder(args))
    const models = await Promise.all(
      agents.map(async ({ id, backend }) => `${id}: ${(await loadModel(backend, { base })).label}`),
    )
    const hint =
      source === 'built-in'
        ? 'no config and no key found: the built-in planner, which is not a language model; conclave init finds others'
        : source
    return { subject: 'models', state: 'ok', detail: `${models.join(', ')} (${hint})` }
  } catch (error) {
    return { subject: 'models', state: 'broken', detail: (error as Error).message }
  }
}

/** Nothing when there are none, or when the config cannot be read, which is reported with the models. */
async function checkContextPaths(args: Args): Promise<Finding[]> {
  const folder = findFolder(args)
  const roster = await findAgents(args, folder).catch(() => undefined)
  if (!roster) return []
  try {
    const shown = findContextPaths(args, roster, folder).map(describeContextPath)
    return shown.length > 0 ? [{ subject: 'paths', state: 'ok', detail: shown.join(', ') }] : []
  } catch (error) {
    return [{ subject: 'paths', state: 'broken', detail: (error as Error).message }]
  }
}

/** What could be used besides: keys in the environment, and servers on this machine. */
async function findOthers(): Promise<Finding[]> {
  const servers = await findLocalServers()
  const shown = servers.map(
    ({ provider, because, models }) => `${provider} (${because}, ${models.length} models)`,
  )
  const keys = findKeys(process.env).map(({ provider, because }) => `${provider} (${because})`)
  return [
    {
      subject: 'keys',
      state: keys.length > 0 ? 'ok' : 'note',
      detail: keys.join(', ') || 'none in the environment',
    },
    {
      subject: 'servers',
      state: shown.length > 0 ? 'ok' : 'note',
      detail: shown.join(', ') || 'no model server on the usual ports of this machine',
    },
  ]
}

function checkProgram(
  subject: string,
  program: string,
  args: string[],
  missing: Finding['state'],
  hint: string,
): Finding {
  const { status, stdout, error } = spawnSync(program, args, { encoding: 'utf8', timeout: 5_000 })
  if (status === 0) return { subject, state: 'ok', detail: stdout.split('\n', 1)[0] || `${program} works` }
  const why = error
    ? (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? 'is not there'
      : error.message
    : 'does not work here'
  return { subject, state: missing, detail: `${program} ${why}: ${hint}` }
}

function checkSandbox(): Finding {
  const found = bubblewrap()
  return found.works
    ? { subject: 'sandbox', state: 'ok', detail: `${found.program} confines commands` }
    : {
        subject: 'sandbox',
        state: 'note',
        detail: `${found.problem}: commands run unconfined, and Plan mode has no shell`,
      }
}

/** Broken only where commands are to run there. */
async function checkDocker(args: Args): Promise<Finding> {
  const roster = await findAgents(args, findFolder(args)).catch(() => undefined)
  const settings = dockerSettings(args, roster?.execution)
  const state = wantsDocker(args, roster?.execution) ? 'broken' : 'note'
  const socket = findSocket()
  if ('missing' in socket) return { subject: 'docker', state, detail: socket.missing }
  try {
    const api = new EngineApi(socket.path)
    const { version, rootless } = await askDaemon(api)
    const daemon = `${socket.path}, version ${version}${rootless ? ', rootless' : ''}`
    return (await askImage(api, settings.image))
      ? { subject: 'docker', state: 'ok', detail: `${daemon}, image ${settings.image}` }
      : { subject: 'docker', state, detail: `${daemon}; ${missingImage(settings.image)}` }
  } catch (error) {
    return { subject: 'docker', state, detail: (error as Error).message }
  }
}
