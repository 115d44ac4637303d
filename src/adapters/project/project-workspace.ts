import { clipLine } from './clip-line.ts'
import { makeFolder } from './make-folder.ts'
import { type DeliverableInput, addDeliverable, noteDeliverable } from './deliverables.ts'
import { readJson } from './read-json.ts'
import { openFiles } from '../files/gateway.ts'
import type { Files } from '../../ports/files.ts'
import type { ProjectReport, ProjectWorkspace, RunLink } from '../../ports/project.ts'

export const CONTEXT = '.conclave/CONTEXT.md'
export const FILEPATHS = '.conclave/filepaths.json'
const RUNS = '.conclave/runs'
const DELIVERABLES = '.conclave/deliverables'

/** What CONTEXT.md is before anybody wrote into it. */
export const EMPTY_CONTEXT = `# Project context

What the next agent must know: what this project is, what was decided and why, what is open.
`

const LONGEST_TASK = 200

/**
 * The workspace below `.conclave` of one folder. `onCreated` is told the first time CONTEXT.md is made here: nobody but
 * us and the person can have written it.
 */
export function openProject(folder: string, options: { onCreated?: () => void } = {}): ProjectWorkspace {
  const files = openFiles(folder)
  let last: Promise<unknown> = Promise.resolve()
  /** One change after the other: two runs that end together must not lose each other's entry. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
  return {
    ensure: () =>
      inTurn(async () => {
        const report = await ensure(files)
        if (report.created.includes(CONTEXT)) options.onCreated?.()
        return report
      }),
    linkRun: (run) => inTurn(() => linkRun(files, run)),
    addDeliverable: (result: DeliverableInput) => inTurn(() => addDeliverable(files, result)),
    noteDeliverable: (result) => inTurn(() => noteDeliverable(files, result)),
  }
}

async function ensure(files: Files): Promise<ProjectReport> {
  const report: ProjectReport = { created: [], kept: [], problems: [] }
  for (const folder of [RUNS, DELIVERABLES]) {
    const there = await files.stat(folder)
    if (!('refused' in there) && there.kind === 'folder') {
      report.kept.push(`${folder}/`)
      continue
    }
    const made = await makeFolder(files.root, folder)
    if ('refused' in made) report.problems.push(made.refused)
    else report.created.push(`${folder}/`)
  }
  await ensureFile(files, report, CONTEXT, EMPTY_CONTEXT)
  await ensureFile(files, report, FILEPATHS, '{}\n')
  await ensureFile(files, report, `${DELIVERABLES}/index.json`, '{ "deliverables": [] }\n')
  return report
}

/** What is there already stays as it is, whatever is in it; that it is broken is only said. */
async function ensureFile(files: Files, report: ProjectReport, path: string, text: string): Promise<void> {
  const written = await files.write(path, text, { create: true })
  if (!('refused' in written)) {
    report.created.push(path)
    return
  }
  const there = await files.stat(path)
  if ('refused' in there || there.kind !== 'file') {
    report.problems.push(written.refused)
    return
  }
  report.kept.push(path)
  if (!path.endsWith('.json')) return
  const read = await readJson(files, path)
  if ('problem' in read) report.problems.push(read.problem)
}

/** A small file instead of a link: links are not followed, and a file says what the run was about. */
async function linkRun(
  files: Files,
  { run_id, task, status, at }: RunLink,
): Promise<{ path: string } | { problem: string }> {
  if (!/^run_[\w-]{1,100}$/.test(run_id)) return { problem: `${JSON.stringify(run_id)} is no id of a run` }
  const path = `${RUNS}/${run_id}.json`
  const link = { run_id, task: clipLine(task, LONGEST_TASK), status, at, log: `../logs/${run_id}` }
  const text = `${JSON.stringify(link, null, 2)}\n`
  const created = await files.write(path, text, { create: true })
  if (!('refused' in created)) return { path }
  const known = await readJson(files, path)
  if (!('value' in known)) return { problem: 'problem' in known ? known.problem : created.refused }
  if (known.value['run_id'] !== run_id)
    return { problem: `${path} is not about ${run_id}, so it was left alone` }
  const written = await files.write(path, text, { create: false, fingerprint: known.fingerprint })
  return 'refused' in written ? { problem: written.refused } : { path }
}
