import { type Action, type Call, calls, done, firstOf, stuck } from './action.ts'
import type { Evidence, Fact } from './evidence.ts'
import type { FileIntent } from './intent.ts'
import { type Edit, type SeenFile, applyEdits, firstLine, seenFiles } from './seen-file.ts'
import { normal } from './tool-output.ts'
import { code } from './voice.ts'

interface FileEditWork {
  intent: FileIntent
  evidence: Evidence
  file: SeenFile | undefined
  /** The newest attempt to do what was asked. */
  attempt: Fact | undefined
}

const toolFor = {
  create: 'create_file',
  replace: 'update_file',
  add: 'update_file',
  delete: 'delete_file',
} as const

/** Create, edit or delete one file as told: read it where its text matters, change it once, say what happened. */
export function nextForFileEdit(intent: FileIntent, evidence: Evidence): Action {
  const path = normal(intent.path)
  const attempt = evidence.facts.findLast(
    ({ tool, input }) => writes.has(tool) && normal(String(input['path'])) === path,
  )
  const file = seenFiles(evidence.facts).get(path)
  return firstOf({ intent, evidence, file, attempt }, [finish, planOnly, read, stopIfImpossible], act)
}

const writes: ReadonlySet<string> = new Set(Object.values(toolFor))

function finish({ intent, attempt }: FileEditWork): Action | undefined {
  if (!attempt) return undefined
  if (attempt.success) {
    const extent = /\([^()]*\)$/.exec(firstLine(attempt.output))?.[0]
    return done(`${describe(intent, 'past')}${extent ? ` ${extent}` : ''}.`, firstLine(attempt.output))
  }
  const hint =
    intent.kind === 'create' && /exists/.test(attempt.output)
      ? ` To change it, say "in ${intent.path} replace A with B" or "append … to ${intent.path}".`
      : ''
  return stuck(
    `Nothing was changed: ${firstLine(attempt.output).replace(/\.$/, '')}.${hint}`,
    'failed',
    firstLine(attempt.output),
  )
}

function planOnly({ intent, evidence }: FileEditWork): Action | undefined {
  const tool = toolFor[intent.kind]
  if (evidence.offered.has(tool)) return undefined
  return {
    kind: 'plan',
    plan: {
      goal: goalOf(intent),
      steps: [
        {
          action: describe(intent, 'future'),
          reason: 'It was asked for',
          tools_needed: [tool],
          estimated_time: 'seconds',
        },
      ],
      risks: intent.kind === 'delete' ? [`${intent.path} is lost unless it is under version control`] : [],
      prerequisites: [],
    },
  }
}

function read({ intent, file }: FileEditWork): Action | undefined {
  if (intent.kind !== 'replace' && intent.kind !== 'add') return undefined
  if (file?.text !== undefined || file?.unreadable !== undefined) return undefined
  const offset = file?.partial?.next
  return calls(`Reading ${intent.path}.`, [
    { name: 'read_file', input: { path: intent.path, ...(offset !== undefined && { offset }) } },
  ])
}

function stopIfImpossible({ intent, file }: FileEditWork): Action | undefined {
  if (intent.kind === 'add' && file?.text === '') {
    return stuck(
      `Nothing was changed: ${intent.path} is empty, and an edit needs text to hold on to. Delete it, then ask me to create it with that content.`,
      'needs_person',
    )
  }
  if (intent.kind === 'add' && file?.unreadable !== undefined && isMissing(file)) return undefined
  if (file?.unreadable !== undefined)
    return stuck(`Nothing was changed: ${file.unreadable}.`, 'failed', file.unreadable)
  if (intent.kind !== 'replace' || file?.text?.includes(intent.old_text)) return undefined
  return stuck(
    `Nothing was changed: ${intent.path} does not contain ${code(shorten(intent.old_text))}.`,
    'needs_person',
  )
}

function act({ intent, file }: FileEditWork): Action {
  const say = `${describe(intent, 'future')}.`
  return { kind: 'calls', say, calls: [callFor(intent, file)] }
}

function callFor(intent: FileIntent, file: SeenFile | undefined): Call {
  const { path } = intent
  const text = file?.text ?? ''
  switch (intent.kind) {
    case 'create':
      return { name: 'create_file', input: { path, content: intent.content } }
    case 'delete':
      return { name: 'delete_file', input: { path } }
    case 'replace': {
      const { old_text, new_text } = intent
      const isRepeated = text.indexOf(old_text) !== text.lastIndexOf(old_text)
      return {
        name: 'update_file',
        input: { path, edits: [{ old_text, new_text, ...(isRepeated && { replace_all: true }) }] },
      }
    }
    case 'add':
      if (file?.text === undefined)
        return { name: 'create_file', input: { path, content: `${intent.text}\n` } }
      return { name: 'update_file', input: { path, edits: [additionTo(text, intent)] } }
  }
}

/** Holds on to as many lines at that end of the file as it takes to occur once. */
function additionTo(text: string, { text: added, at }: Extract<FileIntent, { kind: 'add' }>): Edit {
  const lines = text.split('\n')
  for (let kept = 1; kept <= lines.length; kept++) {
    const old_text = (at === 'end' ? lines.slice(-kept) : lines.slice(0, kept)).join('\n')
    const new_text = at === 'end' ? `${old_text}\n${added}` : `${added}\n${old_text}`
    const edit = { old_text, new_text }
    const expected = at === 'end' ? `${text}\n${added}` : `${added}\n${text}`
    if (
      old_text !== '' &&
      text.indexOf(old_text) === text.lastIndexOf(old_text) &&
      applyEdits(text, [edit]) === expected
    )
      return edit
  }
  return { old_text: text, new_text: at === 'end' ? `${text}\n${added}` : `${added}\n${text}` }
}

const isMissing = (file: SeenFile): boolean =>
  /no such|does not exist|not found|ENOENT|there is no/i.test(file.unreadable ?? '')

function describe(intent: FileIntent, tense: 'past' | 'future'): string {
  const verb = (past: string, future: string): string => (tense === 'past' ? past : future)
  switch (intent.kind) {
    case 'create':
      return `${verb('Created', 'Create')} ${intent.path}`
    case 'delete':
      return `${verb('Deleted', 'Delete')} ${intent.path}`
    case 'replace':
      return `${verb('Replaced', 'Replace')} ${code(shorten(intent.old_text))} with ${code(shorten(intent.new_text))} in ${intent.path}`
    case 'add':
      return `${verb('Added', 'Add')} ${code(shorten(intent.text))} at the ${intent.at} of ${intent.path}`
  }
}

/** In words that read back as the same task. */
function goalOf(intent: FileIntent): string {
  const { path } = intent
  switch (intent.kind) {
    case 'create':
      return intent.content === ''
        ? `create the file ${path}`
        : `create the file ${path} with the content:\n${fenced(intent.content)}`
    case 'delete':
      return `delete the file ${path}`
    case 'replace':
      return `in ${path} replace "${intent.old_text}" with "${intent.new_text}"`
    case 'add':
      return `${intent.at === 'end' ? 'append' : 'prepend'} to ${path}:\n${fenced(`${intent.text}\n`)}`
  }
}

function fenced(content: string): string {
  const fence = content.includes('```') ? '~~~~~~' : '```'
  return `${fence}\n${content}${fence}`
}

const shorten = (text: string): string =>
  text.length > 60 ? `${text.slice(0, 57).replaceAll('\n', ' ')}…` : text.replaceAll('\n', ' ')
