import { readFile, readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The person's own `/commands`: Markdown files beside their config. A project's are not read: they would have to be trusted. */
export async function readUserCommands(): Promise<ReadonlyMap<string, string>> {
  const home = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config')
  const folder = join(home, 'conclave', 'commands')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.md'))
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')))
  return new Map(names.map((name, index) => [name.slice(0, -'.md'.length), texts[index] ?? '']))
}
