import { type DockerSettings, dockerDefaults } from '../../src/schema/docker-settings.ts'

/** The image of the tests: busybox and nothing else, made there because none can be fetched. */
export const IMAGE = 'conclave-test'

export const settings: DockerSettings = { ...dockerDefaults, image: IMAGE, memory: '512m', pids: 128 }
