import { describeProblem } from '../../config/problem.ts'
import { loadConfig } from '../../config/load.ts'
import { neutralize } from '../../view/neutralize.ts'
import { type Args, usage } from '../args.ts'
import { Exit, exitCodes } from '../exit-codes.ts'
import { findConfig, findFolder } from '../places.ts'

export async function config(args: Args): Promise<number> {
  const [what, named] = args.words
  if (what !== 'check') throw usage('conclave config check [file]')
  const file = named ?? findConfig(args, findFolder(args))
  if (!file) throw new Exit(exitCodes.config, 'there is no config file here')
  const loaded = loadConfig(file)
  if (!loaded.ok) {
    throw new Exit(
      exitCodes.config,
      loaded.problems.map((problem) => describeProblem(problem, loaded.source)).join('\n'),
    )
  }
  process.stdout.write(
    neutralize(`${file} is fine: ${loaded.config.agents.map(({ id }) => id).join(', ')}\n`),
  )
  return exitCodes.done
}
