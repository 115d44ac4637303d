import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { readPlan } from '../core/plan/parse-plan.ts'
import type { ChatPlan, SessionState } from '../core/session/state.ts'
import type { Journal } from '../ports/journal.ts'
import type { ChatId } from '../schema/ids.ts'
import type { Plan } from '../schema/plan.ts'
import { Exit, exitCodes } from './exit-codes.ts'
import { readSession } from './read-chat.ts'

/** A plan of a chat in this folder, or one whose chat is not here: then its file is all there is. */
export type FoundPlan = { chat: SessionState; plan: ChatPlan } | { plan: StoredPlan }

export interface StoredPlan {
  plan_id: string
  revision: number
  plan: Plan
}

interface PlanFile extends StoredPlan {
  file: string
  status: unknown
  chat_id: unknown
}

const LARGEST = 1_000_000

/** Finds a plan by its id, by its folder, or the newest of this folder. What does not fit together is refused. */
export async function findPlan(journal: Journal, folder: string, name: string): Promise<FoundPlan> {
  const isId = /^plan_[\w-]+$/.test(name)
  const file = name === 'latest' ? undefined : fileOf(isId ? join(plansOf(folder), name) : resolve(name))
  if (file && (!isId || existsSync(file))) return findByFile(journal, folder, readPlanFile(file))
  const chat = await findChat(journal, folder, ({ plan_id }) => !isId || plan_id === name)
  if (chat) {
    const kept = fileOf(join(folder, chat.plan.directory))
    return match(chat.chat, chat.plan, existsSync(kept) ? readPlanFile(kept) : undefined)
  }
  const newest = isId ? undefined : newestFile(folder)
  if (newest) return findByFile(journal, folder, readPlanFile(newest))
  throw refuse(
    isId
      ? `there is no plan ${name} in ${folder}; conclave execute-plan latest takes the newest`
      : `there is no plan in ${folder} yet; conclave plan "…" makes one`,
  )
}

/** A copy of a project brings its plans along: only a chat of this very folder may carry one out here. */
async function findByFile(journal: Journal, folder: string, found: PlanFile): Promise<FoundPlan> {
  const named = await journal.entry(`chat_${String(found.chat_id).replace(/^chat_/, '')}`)
  if (named?.folder === folder) {
    const chat = await readSession(journal, named.stream as ChatId)
    if (chat.plan) return match(chat, chat.plan, found)
  }
  const other = await findChat(journal, folder, ({ plan_id }) => plan_id === found.plan_id)
  if (other) return match(other.chat, other.plan, found)
  if (found.status === 'rejected') throw refuse(`${found.plan_id} was rejected`)
  const { plan_id, revision, plan } = found
  return { plan: { plan_id, revision, plan } }
}

/** People review what is in the plan's folder, and the chat's own log is what runs: they must be the same. */
function match(chat: SessionState, plan: ChatPlan, kept: PlanFile | undefined): FoundPlan {
  const { plan_id, revision, status } = plan
  if (kept && kept.plan_id !== plan_id)
    throw refuse(`the plan of ${chat.chat_id} is ${plan_id} now, not ${kept.plan_id}`)
  const same =
    !kept || (kept.revision === revision && JSON.stringify(kept.plan) === JSON.stringify(plan.plan))
  if (!same) {
    const advice = `to change the plan: conclave plan -r ${chat.chat_id} "…"; to take the chat's, remove the file`
    throw refuse(
      `${kept?.file} is not revision ${revision} of ${plan_id} as ${chat.chat_id} holds it; ${advice}`,
    )
  }
  if (status === 'rejected') throw refuse(`${plan_id} was rejected`)
  return { chat, plan }
}

async function findChat(
  journal: Journal,
  folder: string,
  fits: (plan: ChatPlan) => boolean,
): Promise<{ chat: SessionState; plan: ChatPlan } | undefined> {
  for (const entry of await journal.list('chat')) {
    if (entry.folder !== folder) continue
    const chat = await readSession(journal, entry.stream as ChatId)
    if (chat.plan && fits(chat.plan)) return { chat, plan: chat.plan }
  }
  return undefined
}

const plansOf = (folder: string): string => join(folder, '.conclave', 'plans')

const fileOf = (path: string): string => (basename(path) === 'plan.json' ? path : join(path, 'plan.json'))

function newestFile(folder: string): string | undefined {
  const plans = plansOf(folder)
  if (!existsSync(plans)) return undefined
  return readdirSync(plans)
    .map((name) => fileOf(join(plans, name)))
    .filter((file) => existsSync(file))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0]
}

function readPlanFile(file: string): PlanFile {
  const stored = readJson(file)
  const { plan_id, revision, status, chat_id } = stored
  const inner = stored['plan']
  const plan = isObject(inner) ? readPlan(inner) : undefined
  if (!plan) throw damaged(file, 'it has no plan with a goal and steps')
  if (typeof plan_id !== 'string' || !/^plan_[\w-]+$/.test(plan_id)) throw damaged(file, 'it has no plan_id')
  if (typeof revision !== 'number' || !Number.isSafeInteger(revision) || revision < 1)
    throw damaged(file, 'its revision is no whole number from 1 on')
  return { file, plan_id, revision, status, chat_id, plan }
}

function readJson(file: string): Record<string, unknown> {
  let text: string
  try {
    const { size } = statSync(file)
    if (size > LARGEST) throw damaged(file, `it has ${size} bytes`)
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Exit) throw error
    const { code, message } = error as NodeJS.ErrnoException
    throw refuse(code === 'ENOENT' || code === 'ENOTDIR' ? `there is no plan at ${file}` : message)
  }
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch (error) {
    throw damaged(file, (error as Error).message)
  }
  throw damaged(file, 'it is not an object')
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const refuse = (message: string): Exit => new Exit(exitCodes.input, message)

const damaged = (file: string, problem: string): Exit => refuse(`${file} is damaged: ${problem}`)
