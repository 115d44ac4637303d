import type { ShellResult } from '../ports/shell.ts'
import { analyzeCommand } from './shell-analysis.ts'
import { type Job, type JobOwner, ShellJobs } from './shell-jobs.ts'
import { type Tool, type ToolContext, type ToolResult, defineTool, failed } from './tool.ts'

const DEFAULT_TIMEOUT_MS = 120_000
const LONGEST_TIMEOUT_MS = 3_600_000
/** Of output in one reply. */
const PAGE_BYTES = 32 * 1024

/** The shell and what belongs to commands that run on by themselves. Each set has jobs of its own. */
export function shellTools(): Tool[] {
  const jobs = new ShellJobs()
  return [shell(jobs), shellOutput(jobs), shellStop(jobs)]
}

const shell = (jobs: ShellJobs): Tool =>
  defineTool({
    name: 'shell',
    changes: 'anything',
    confinable: true,
    description:
      'Run a bash command in the working folder and wait for it. No input, no terminal; processes left in the background are ended with it. Usually confined: only what you may change and /tmp can be written, no network.',
    input: {
      type: 'object',
      properties: {
        command: { type: 'string' },
        timeout_ms: {
          type: 'integer',
          minimum: 1,
          maximum: LONGEST_TIMEOUT_MS,
          description: `${DEFAULT_TIMEOUT_MS} if absent.`,
        },
        background: { type: 'boolean', description: 'Do not wait: return a job for shell_output.' },
      },
      required: ['command'],
      additionalProperties: false,
    },
    access: async ({ command }) => [await analyzeCommand(command)],
    endWork: (chat, folder) => jobs.endWriting(chat, folder),
    async run({ command, timeout_ms, background = false }, context) {
      const { shell, signal, confined, onOutput } = context
      if (confined && (await analyzeCommand(command)).parts.length === 0)
        return failed(
          'This command cannot be taken apart, and so it does not run where nothing may be changed.',
        )
      if (background && jobs.isFull) return failed('Too many jobs are running; end one with shell_stop.')
      const limit = timeout_ms ?? (background ? LONGEST_TIMEOUT_MS : DEFAULT_TIMEOUT_MS)
      const owner = ownerOf(context)
      const order = { owner, writes: !confined, command, scratch: shell.scratch }
      const job = jobs.start(order, ({ output, stop }) =>
        shell.run({
          command,
          cwd: owner.folder,
          timeout_ms: limit,
          access: confined ? 'read' : 'write',
          signal: background ? stop.signal : signal,
          onOutput,
          onBytes: (bytes) => output.add(bytes),
        }),
      )
      if (background) return { success: true, output: `Job ${job.id} runs. Read it with shell_output.` }
      const result = await job.ended
      const whole = job.output.size <= Buffer.byteLength(result.output)
      if (whole) jobs.forget(job)
      const ending = [describeEnd(result, limit), whole ? '' : whereTheRestIs(job)].filter(Boolean).join('\n')
      return report(result, result.output, ending)
    },
  })

const shellOutput = (jobs: ShellJobs): Tool =>
  defineTool({
    name: 'shell_output',
    read_only: true,
    description: 'Read the output of a job, or of a command that printed more than was shown.',
    input: {
      type: 'object',
      properties: {
        job: { type: 'string' },
        offset: { type: 'integer', minimum: 0, description: 'Byte to start at; absent: the end.' },
      },
      required: ['job'],
      additionalProperties: false,
    },
    async run({ job: id, offset }, context) {
      const job = jobs.find(id, ownerOf(context))
      if (!job) return noSuchJob(id)
      const from = offset ?? Math.max(0, job.output.kept - PAGE_BYTES)
      const { text, end } = job.output.read(from, PAGE_BYTES)
      const more = end < job.output.kept ? `; more from offset ${end}` : ''
      return {
        success: true,
        output: `[${describeState(job)}; bytes ${from} to ${end} of ${job.output.kept}${more}]\n${text}`,
      }
    },
  })

/** Counts as harmless: it ends only what this session itself has started, and a question would leave that running. */
const shellStop = (jobs: ShellJobs): Tool =>
  defineTool({
    name: 'shell_stop',
    read_only: true,
    description: 'End a job.',
    input: {
      type: 'object',
      properties: { job: { type: 'string' } },
      required: ['job'],
      additionalProperties: false,
    },
    async run({ job: id }, context) {
      const job = jobs.find(id, ownerOf(context))
      if (!job) return noSuchJob(id)
      job.stop.abort()
      await job.ended
      const from = Math.max(0, job.output.kept - PAGE_BYTES)
      return { success: true, output: `[${describeState(job)}]\n${job.output.read(from, PAGE_BYTES).text}` }
    },
  })

const ownerOf = ({ chat_id, files }: ToolContext): JobOwner => ({ chat_id, folder: files.root })

const noSuchJob = (id: string): ToolResult =>
  failed(`There is no job ${JSON.stringify(id)}: jobs end with the program that started them.`)

function describeState({ id, began, result, output }: Job): string {
  const lost = output.size > output.kept ? `, of which only the first ${output.kept} are kept` : ''
  const printed = `${output.size} bytes of output${lost}`
  if (!result) return `job ${id} runs for ${Math.round((Date.now() - began) / 1000)} s, ${printed}`
  return `job ${id} has ended: ${describeEnd(result, 0) || 'exit code 0'}, ${printed}`
}

function whereTheRestIs({ id, output }: Job): string {
  const file = output.file ? `; until this session ends a person finds it in ${output.file}` : ''
  return `${output.size} bytes of output in all: shell_output reads the rest of job ${id}${file}`
}

function report(result: ShellResult, text: string, ending: string): ToolResult {
  const output = text === '' && ending === '' ? '(no output)' : text
  const gap = output === '' || ending === '' || output.endsWith('\n') ? '' : '\n'
  return { success: result.exit_code === 0, output: output + gap + ending }
}

function describeEnd(result: ShellResult, timeout_ms: number): string {
  switch (result.ended_by) {
    case 'timeout':
      return timeout_ms > 0
        ? `ended by us after ${timeout_ms} ms; raise timeout_ms if it needs longer`
        : 'ended by us, its time was over'
    case 'cancel':
      return 'cancelled'
    case 'signal':
      return 'ended by a signal'
    case 'start_failed':
      return ''
    case undefined:
      return result.exit_code === 0 ? '' : `exit code ${result.exit_code}`
  }
}
