import { readMemory } from '../../adapters/project/read-memory.ts'
import { neutralize } from '../../view/neutralize.ts'
import { type Args, usage } from '../args.ts'
import { Exit, exitCodes } from '../exit-codes.ts'
import { findFolder } from '../places.ts'
import { ownProject } from '../project-workspace.ts'

/** `conclave project init|show`: what is kept in .conclave from one run to the next. */
export async function project(args: Args): Promise<number> {
  const [what, ...more] = args.words
  if (more.length > 0 || (what !== 'init' && what !== 'show')) throw usage('conclave project init|show')
  const folder = findFolder(args)
  return what === 'init' ? init(args, folder) : show(folder)
}

async function init(args: Args, folder: string): Promise<number> {
  const { created, kept, problems } = await (await ownProject(args, folder)).ensure()
  for (const path of created) say(`made   ${path}`)
  for (const path of kept) say(`kept   ${path}`)
  if (problems.length > 0) throw new Exit(exitCodes.failed, problems.join('\n'))
  if (created.length > 0)
    say('Agents read CONTEXT.md and filepaths.json in every chat here, and keep them up to date.')
  return exitCodes.done
}

async function show(folder: string): Promise<number> {
  const memory = await readMemory(folder)
  if (!memory)
    throw new Exit(exitCodes.input, `${folder} has no project workspace yet; make one: conclave project init`)
  const { context, paths, deliverables, problems } = memory
  say(context || 'CONTEXT.md says nothing yet.')
  for (const { path, description } of paths) say(`${path}  ${description}`)
  for (const { path, run_id } of deliverables) say(`${path}  (from ${run_id})`)
  for (const problem of problems) say(`cannot be read: ${problem}`)
  return exitCodes.done
}

const say = (text: string): void => void process.stdout.write(`${neutralize(text)}\n`)
