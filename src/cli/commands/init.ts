import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { type FoundProvider, findKeys } from '../../adapters/models/detect/environment.ts'
import { findLocalServers } from '../../adapters/models/detect/local-servers.ts'
import { type ProviderName, providers } from '../../schema/providers.ts'
import { neutralize } from '../../view/neutralize.ts'
import { type Args, usage } from '../args.ts'
import { Exit, exitCodes } from '../exit-codes.ts'
import { findFolder } from '../places.ts'
import { readStdin } from '../stdin.ts'

interface Choice {
  provider: ProviderName
  model?: string
  because: string
}

/** `conclave init`: shows which models there are, lets the person choose, and writes the config. */
export async function init(args: Args): Promise<number> {
  const file = args.has('here') ? join(findFolder(args), 'conclave.yaml') : ownConfig()
  refuseToOverwrite(file, args)
  const found = [...findKeys(process.env), ...(await findLocalServers())]
  const choices = [...found.flatMap(toChoices), planner]
  const say = (text: string) => void process.stdout.write(neutralize(`${text}\n`))
  const needModel = found.filter(({ models }) => models.length === 0)
  choices.forEach(({ because, ...choice }, index) => say(`  ${index + 1}  ${nameOf(choice)}  (${because})`))
  for (const { provider, because } of needModel)
    say(`  –  ${provider}/<model>  (${because}; write its model yourself)`)
  const chosen = await choose(choices, args)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, render(chosen), { flag: args.has('force') ? 'w' : 'wx', mode: 0o600 })
  say(`\nWrote ${file}: ${chosen.map(nameOf).join(', ')}`)
  say('Keys stay where they are: in the environment, or behind api_key_command.')
  say('Next: conclave doctor tries it, conclave -p "what does this project do?" uses it.')
  return exitCodes.done
}

const planner: Choice = { provider: 'rehearsal', because: 'built in: a planner, not a language model' }

/** No more than this many models of one server are listed; a server may have hundreds. */
const MOST_MODELS = 10

const toChoices = ({ provider, because, models }: FoundProvider): Choice[] =>
  models.slice(0, MOST_MODELS).map((model) => ({ provider, model, because }))

const nameOf = ({ provider, model }: Omit<Choice, 'because'>): string =>
  model ? `${provider}/${model}` : provider

function ownConfig(): string {
  return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'conclave', 'config.yaml')
}

function refuseToOverwrite(file: string, args: Args): void {
  if (existsSync(file) && !args.has('force'))
    throw new Exit(exitCodes.config, `${file} exists already; --force overwrites it`)
}

/** Numbers, one or several; nothing means the first. */
async function choose(choices: readonly Choice[], args: Args): Promise<Choice[]> {
  const line = args.has('yes') ? '' : await askLine('\nWhich? One number, or several for a team [1]: ')
  const numbers = line.split(/[\s,]+/).filter(Boolean)
  const chosen = (numbers.length > 0 ? numbers : ['1']).map((text) => {
    const choice = /^\d+$/.test(text) ? choices[Number(text) - 1] : undefined
    if (!choice) throw usage(`"${text}" is none of the numbers 1 to ${choices.length}`)
    return choice
  })
  return [...new Set(chosen)]
}

async function askLine(question: string): Promise<string> {
  if (!process.stdin.isTTY) return (await readStdin()).split('\n', 1)[0] ?? ''
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}

function render(chosen: readonly Choice[]): string {
  const agents = chosen.map((choice, index) => {
    const id =
      chosen.findIndex(({ provider }) => provider === choice.provider) === index
        ? choice.provider
        : `${choice.provider}-${index + 1}`
    const { key_env } = providers[choice.provider]
    return [
      `  - id: ${id}`,
      '    backend:',
      `      type: ${choice.provider}`,
      ...(choice.model ? [`      model: ${JSON.stringify(choice.model)}`] : []),
      ...(key_env ? [`      # the key is read from ${key_env.join(' or ')}`] : []),
    ].join('\n')
  })
  return `# Written by conclave init. Check changes with: conclave config check\nagents:\n${agents.join('\n')}\n`
}
