import type { Access } from '../../schema/access.ts'
import type { FileChange } from '../../schema/observation.ts'
import type { Severity } from '../../schema/question.ts'
import type { Grant, PermissionRule } from '../../schema/permission.ts'
import type { ToolCall, ToolTraits, TurnSettings } from '../../schema/turn-event.ts'
import { fits } from '../glob.ts'
import { findDrift } from './plan-scope.ts'

export type Authorization =
  | { verdict: 'allow'; confined: boolean }
  | { verdict: 'ask'; reason: string; severity: Severity }
  | { verdict: 'deny'; reason: string }

export interface Circumstances {
  settings: Pick<TurnSettings, 'mode' | 'permission' | 'rules' | 'grants' | 'plan' | 'tools'>
  /** Files this turn has changed so far, and how many of them there were when the person last agreed to go on. */
  files_changed: number
  files_agreed?: number
}

/** So many files are a mass change: the next one asks, and once the person agrees, as many more are free. */
export const MASS_CHANGE = 20

export const massChange = (files: number): string => `this turn has changed ${files} files already`

/**
 * May this call be dispatched now? Asked at dispatch, against the mode of that moment: what was listed to the model
 * does not matter. A command that only looks runs confined, where it can change nothing even if it lies.
 */
export function authorize(
  call: ToolCall,
  traits: ToolTraits,
  { settings, files_changed, files_agreed = 0 }: Circumstances,
): Authorization {
  const { mode, permission, rules = [], grants = [] } = settings
  const ruled = applyRules(rules, call)
  if (ruled === 'deny')
    return { verdict: 'deny', reason: `a rule of the config denies ${describeAccess(call)}` }
  if (traits.read_only) {
    return ruled === 'ask' ? ask(permission, askedByRule(call), 'minor') : allow(false)
  }
  // A run has rules and approvals of its own; in Plan mode it can only plan.
  if (traits.launches)
    return ruled === 'ask' ? ask(permission, askedByRule(call), 'minor') : allow(mode !== 'Act')
  // Whatever is not known to be Act is treated as Plan.
  if (mode !== 'Act') {
    if (traits.confinable) return allow(true)
    return {
      verdict: 'deny',
      reason: `${call.name} can change things, and in Plan mode nothing may be changed`,
    }
  }
  if (traits.confinable && looksReadOnly(call) && ruled !== 'ask') return allow(true)
  if (permission === 'auto' && ruled !== 'ask') return allow(false)
  if (isGranted(grants, call) || ruled === 'allow') return allow(false)
  const drift = settings.plan && findDrift(settings.plan, call, settings.tools)
  if (drift) return ask(permission, drift, 'major')
  if (ruled !== 'ask') {
    if (traits.nested) return allow(false)
    if (traits.changes === 'files' && !traits.destructive) {
      if (permission === 'auto-edit' || files_changed - files_agreed < MASS_CHANGE) return allow(false)
      return ask(permission, massChange(files_changed), 'major')
    }
  }
  const reason = ruled === 'ask' ? askedByRule(call) : whatItCanDo(call, traits)
  return ask(permission, reason, traits.destructive ? 'major' : 'minor')
}

/** What "always" may grant: the very same bytes again, and only where bytes say what will happen. */
export function grantsFor(call: ToolCall, traits: ToolTraits): Grant[] {
  if (traits.destructive || !call.access?.length) return []
  return resources(call).map((resource) => ({ tool: call.name, resource }))
}

const askedByRule = (call: ToolCall): string => `a rule of the config asks about ${describeAccess(call)}`

const allow = (confined: boolean): Authorization => ({ verdict: 'allow', confined })

function ask(permission: TurnSettings['permission'], reason: string, severity: Severity): Authorization {
  if (permission !== 'deny') return { verdict: 'ask', reason, severity }
  const hint = 'and this session may not ask (start it with --permission-mode auto to allow it)'
  return { verdict: 'deny', reason: `${reason}, ${hint}` }
}

function whatItCanDo(call: ToolCall, traits: ToolTraits): string {
  const [first] = call.access ?? []
  if (first?.kind === 'command' && first.notes.length > 0) return first.notes.join('; ')
  if (first?.kind === 'network') return `it reaches ${first.host}`
  return traits.destructive ? `${call.name} deletes something` : `${call.name} can change anything`
}

export const looksReadOnly = ({ access }: ToolCall): boolean =>
  access !== undefined &&
  access.length > 0 &&
  access.every((item) => item.kind === 'command' && item.looks_read_only)

/** What the rules say of a change to a file that no tool made, as if one did. */
export const ruleOnChange = (
  rules: readonly PermissionRule[],
  { path, change }: { path: string; change: FileChange },
): PermissionRule['action'] | undefined =>
  applyRules(rules, { id: '', name: CHANGES[change], input: {}, access: [{ kind: 'write', path }] })

const CHANGES: Record<FileChange, string> = {
  new: 'create_file',
  modified: 'update_file',
  deleted: 'delete_file',
}

/** The strictest of what the rules say of each thing touched: one denied part denies the whole. */
function applyRules(rules: readonly PermissionRule[], call: ToolCall): PermissionRule['action'] | undefined {
  if (rules.length === 0) return undefined
  const verdicts = touched(call).map((resource) => lastFitting(rules, call.name, resource))
  if (verdicts.includes('deny')) return 'deny'
  if (verdicts.includes('ask') || hidesFromDenial(rules, call)) return 'ask'
  return verdicts.length > 0 && verdicts.every((verdict) => verdict === 'allow') ? 'allow' : undefined
}

/** A command that cannot be parsed could hold what a rule denies: then a person has to look. */
function hidesFromDenial(rules: readonly PermissionRule[], { name, access = [] }: ToolCall): boolean {
  const unparsed = access.some((item) => item.kind === 'command' && item.parts.length === 0)
  return unparsed && rules.some(({ tool, action }) => action === 'deny' && fits(tool, name))
}

function lastFitting(
  rules: readonly PermissionRule[],
  tool: string,
  resource: string,
): PermissionRule['action'] | undefined {
  return rules.findLast(
    (rule) => fits(rule.tool, tool) && (rule.resource === undefined || fits(rule.resource, resource)),
  )?.action
}

/** Rules see every part of a command; what could not be parsed is seen whole, so that no allow rule fits by accident. */
function touched(call: ToolCall): string[] {
  const found = (call.access ?? []).flatMap((access) =>
    access.kind === 'command'
      ? [access.command, ...access.parts].slice(access.parts.length > 0 ? 1 : 0)
      : [resourceOf(access)],
  )
  return found.length > 0 ? found : ['']
}

/** Grants are for the whole command line: approving `git status && rm x` grants neither half. */
const resources = (call: ToolCall): string[] => (call.access ?? []).map(resourceOf)

function resourceOf(access: Access): string {
  switch (access.kind) {
    case 'read':
    case 'write':
    case 'delete':
      return access.path
    case 'command':
      return access.command
    case 'network':
      return access.host
    case 'mcp':
      return `${access.server}/${access.tool}`
  }
}

function isGranted(grants: readonly Grant[], call: ToolCall): boolean {
  const wanted = resources(call)
  return (
    wanted.length > 0 &&
    wanted.every((resource) =>
      grants.some((grant) => grant.tool === call.name && grant.resource === resource),
    )
  )
}

const describeAccess = (call: ToolCall): string => `${call.name} ${resources(call).join(', ')}`.trim()
