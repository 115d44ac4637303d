import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildImage } from '../../adapters/docker/build-image.ts'
import { DockerError, EngineApi } from '../../adapters/docker/engine-api.ts'
import { findSocket } from '../../adapters/docker/find-socket.ts'
import { dockerDefaults } from '../../schema/docker-settings.ts'
import { neutralize } from '../../view/neutralize.ts'
import { type Args, usage } from '../args.ts'
import { Exit, exitCodes } from '../exit-codes.ts'
import { packageRoot } from '../package-root.ts'

/** `conclave docker build`: makes the default image from the Dockerfile that comes with us. */
export async function docker(args: Args): Promise<number> {
  const [word, ...more] = args.words
  if (word !== 'build' || more.length > 0)
    throw usage(word === undefined ? 'conclave docker build' : `conclave docker knows only: build`)
  const name = dockerDefaults.image
  const socket = findSocket()
  if ('missing' in socket) throw new Exit(exitCodes.sandbox, `no Docker: ${socket.missing}`)
  const dockerfile = readFileSync(join(packageRoot(), 'docker', 'Dockerfile'), 'utf8')
  try {
    const onText = (text: string): void => void (args.has('quiet') || process.stderr.write(neutralize(text)))
    await buildImage(new EngineApi(socket.path), { name, dockerfile, onText })
  } catch (error) {
    if (!(error instanceof DockerError)) throw error
    throw new Exit(exitCodes.sandbox, `the image ${name} could not be built: ${error.message}\n${ADVICE}`)
  }
  process.stdout.write(`${name} is ready: conclave --docker, or execution.mode: docker\n`)
  return exitCodes.done
}

const ADVICE =
  'The daemon fetches the base image and packages from the network. Where it cannot, load an image that has a shell ' +
  '(docker load, docker import) and name it with --docker <image> or execution.docker.image.'
