import { join } from 'node:path'

export const fixture = join(import.meta.dirname, 'fixture-agent.ts')
