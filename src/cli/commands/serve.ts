import { spawn } from 'node:child_process'
import { ClientError } from '../../client/client.ts'
import { ChatFollower } from '../../client/follow-chat.ts'
import { inProcessClient } from '../../client/in-process.ts'
import { RemoteRefused, isLoopback, serve } from '../../server/serve.ts'
import { findAgents } from '../agents.ts'
import type { Args } from '../args.ts'
import { clientRoster } from '../client-roster.ts'
import { composeEngine } from '../compose.ts'
import { Exit, type ExitCode, exitCodes } from '../exit-codes.ts'
import { findFolder } from '../places.ts'
import { say } from '../run-chat.ts'
import { configReport, readAssets, workspaceReader } from '../serve-parts.ts'

/** `conclave serve`: the page and the API until somebody stops it. What was under way goes on at the next start. */
export async function serveCommand(args: Args): Promise<ExitCode> {
  const folder = findFolder(args)
  const host = args.value('host') ?? '127.0.0.1'
  const token = givenToken()
  const roster = await findAgents(args, folder)
  const { engine, journal } = await composeEngine(args, roster)
  const assets = readAssets()
  const face = () => clientRoster(args, roster, folder)
  try {
    // What is wrong with it is said here, not to the first page.
    await face()
    const server = await serve(
      {
        client: inProcessClient({ engine, journal, roster: () => face().catch(forClients) }),
        follow: (stream, backlog) => new ChatFollower(journal, engine.subscribe(backlog), stream),
        files: workspaceReader,
        config: () => configReport(args, folder),
        assets,
      },
      {
        ...{ host, port: args.number('port') ?? 0, allow_remote: args.has('allow-remote') },
        ...(token && { token }),
      },
    )
    try {
      if (!isLoopback(host)) {
        say(
          `others on the network can reach ${server.url}, unencrypted; whoever has the token can run commands here`,
        )
      }
      if (!assets.has('index.html'))
        say('the page is missing from this build: npm run build makes it; the API works without it')
      process.stdout.write(`${server.page}\n`)
      if (!args.has('quiet')) say('open this address; it holds the token. Ctrl-C stops the server.')
      if (args.has('open')) openBrowser(server.page)
      await stopped()
    } finally {
      await server.close()
    }
    return exitCodes.done
  } catch (error) {
    throw explain(error, host, args)
  } finally {
    await engine.close()
  }
}

/** A server that is started again with the same token and port is the same one for pages and terminals. */
function givenToken(): string | undefined {
  const token = process.env['CONCLAVE_TOKEN']
  if (!token || /^[\w-]{32,200}$/.test(token)) return token
  throw new Exit(
    exitCodes.usage,
    'CONCLAVE_TOKEN is no token: it takes 32 to 200 letters, digits, - and _, which nobody can guess; or unset it, and one is made',
  )
}

/** A path that went away since the start is no bug, and a person can do something about it. */
function forClients(error: unknown): never {
  throw error instanceof Exit ? new ClientError(409, error.message) : error
}

function explain(error: unknown, host: string, args: Args): unknown {
  if (error instanceof RemoteRefused) return new Exit(exitCodes.usage, error.message)
  const { code } = error as NodeJS.ErrnoException
  const where = `${host}:${args.number('port') ?? 0}`
  switch (code) {
    case 'EADDRINUSE':
      return new Exit(exitCodes.input, `${where} is in use; choose another --port`)
    case 'EACCES':
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAFNOSUPPORT':
    case 'ERR_SOCKET_BAD_PORT':
      return new Exit(
        exitCodes.input,
        `cannot listen on ${where}: ${(error as Error).message}; check --host and --port`,
      )
    default:
      return error
  }
}

/** The first signal ends the server in good order, the second at once. */
function stopped(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    const stop = () => {
      if (asked) process.exit(exitCodes.interrupted)
      asked = true
      resolve()
    }
    process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop)
  })
}

function openBrowser(url: string): void {
  const [program = 'xdg-open', ...rest] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open']
  const child = spawn(program, [...rest, url], { stdio: 'ignore', detached: true })
  child.on('error', () => say(`no browser could be opened (${program}); open the address yourself`))
  child.unref()
}
