import type { Host } from '../host.ts'
import { slashCommands } from './registry.ts'

/** All commands, for help and completion: ours, then the person's own, told by their first words. */
export async function listCommands(
  host: Pick<Host, 'commands'>,
): Promise<{ name: string; about: string; takes?: string }[]> {
  const own = [...(await host.commands())]
  return [
    ...slashCommands.map(({ name, about, takes }) => ({ name, about, ...(takes && { takes }) })),
    ...own.map(([name, text]) => ({
      name,
      about: `yours: ${
        text
          .trim()
          .split('\n', 1)[0]
          ?.replace(/^#+\s*/, '') ?? ''
      }`,
      ...(text.includes('$ARGUMENTS') && { takes: 'words' }),
    })),
  ]
}
