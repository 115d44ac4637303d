import { z } from 'zod'
import { dockerDefaults, imageName } from '../docker-settings.ts'

const network = z
  .string()
  .regex(/^[a-z0-9][\w.-]*$/iu, 'must be the name of a network; containers never share one with others')
  .refine((name) => name !== 'host', 'host would give commands all of this machine; name a network, or none')

const dockerSchema = z.strictObject({
  image: z
    .string()
    .regex(imageName, 'must be the name of an image')
    .default(dockerDefaults.image)
    .describe('The image that commands run in.'),
  network: network
    .default(dockerDefaults.network)
    .describe('The network of the containers; `none`: no network.'),
  memory: z
    .string()
    .regex(/^[1-9]\d*[kmg]b?$/iu, 'must be a size such as 512m or 4g')
    .default(dockerDefaults.memory)
    .describe('Memory of one container.'),
  cpus: z.number().positive().default(dockerDefaults.cpus).describe('Processors of one container.'),
  pids: z.number().int().min(16).default(dockerDefaults.pids).describe('Processes of one container.'),
})

export const executionSchema = z.strictObject({
  mode: z.enum(['local', 'docker']).default('local').describe('Where commands run.'),
  sandbox: z
    .enum(['auto', 'required', 'off'])
    .default('auto')
    .describe(
      '`auto`: commands are confined where that works; `required`: confined or not at all; `off`: never.',
    ),
  network: z
    .boolean()
    .default(false)
    .describe('Whether confined commands that may write reach the network; those that only look never do.'),
  docker: dockerSchema.prefault({}).describe('For `mode: docker`.'),
})
