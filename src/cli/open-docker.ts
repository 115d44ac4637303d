import type { Containers } from '../ports/container.ts'
import type { Config } from '../schema/config.ts'
import { type DockerSettings, dockerDefaults, imageName } from '../schema/docker-settings.ts'
import type { Roster } from './agents.ts'
import { type Args, usage } from './args.ts'
import { Exit, exitCodes } from './exit-codes.ts'

/** The containers that commands run in, where the flag or the config asks for them; they are there or we end. */
export async function openDocker(
  args: Args,
  { execution }: Roster,
  data: string,
): Promise<Containers | undefined> {
  if (!wantsDocker(args, execution)) return undefined
  const settings = dockerSettings(args, execution)
  const { openContainers } = await import('../adapters/docker/open-containers.ts')
  const opened = await openContainers({ settings, ours: [data] })
  if ('containers' in opened) return opened.containers
  const { message, hint } = opened.failure
  throw new Exit(exitCodes.sandbox, [message, hint].filter(Boolean).join('\n'))
}

export const wantsDocker = (args: Args, execution: Config['execution'] | undefined): boolean =>
  args.has('docker') || execution?.mode === 'docker'

export function dockerSettings(args: Args, execution: Config['execution'] | undefined): DockerSettings {
  const image = args.value('docker')
  if (image !== undefined && !imageName.test(image))
    throw usage(`--docker: "${image}" is not the name of an image`)
  return { ...dockerDefaults, ...execution?.docker, ...(image !== undefined && { image }) }
}
