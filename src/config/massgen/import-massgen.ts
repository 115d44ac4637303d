import { Document, isNode } from 'yaml'
import { hideKeys, maskKeys } from '../hide-keys.ts'
import { type Path, offsetOf } from '../locate.ts'
import { parseYaml } from '../parse-yaml.ts'
import type { ConfigProblem } from '../problem.ts'
import { importAgents } from './agents.ts'
import { type Draft, Section, emptyDraft, isMap } from './draft.ts'
import { fitToSchema } from './fit.ts'
import { importSettings } from './orchestrator.ts'

export type Imported =
  | { ok: true; yaml: string; notes: ConfigProblem[]; agents: number }
  | { ok: false; problems: ConfigProblem[]; source: string }

/**
 * Turns one of MassGen's files into a config of ours. What has no counterpart is reported with its line, never a reason
 * to fail; keys are neither copied nor shown.
 */
export function importMassgen(file: string, source: string): Imported {
  const parsed = parseYaml(file, source, { merge: true })
  if (!parsed.ok) return { ok: false, problems: parsed.problems, source: hideKeys(source) }
  const { document, value, at } = parsed
  if (!isMap(value) || (value['agents'] === undefined && value['agent'] === undefined)) {
    const problem = { ...at(0), message: "this is none of MassGen's files: it has neither agents nor agent" }
    return { ok: false, problems: [problem], source: hideKeys(source) }
  }
  const draft = emptyDraft()
  const top = new Section(value, [], draft)
  importAgents(top, draft)
  importSettings(top, draft)
  const agents = draft.agents.length
  const config = assemble(draft)
  const fit = () => {
    for (const { path, why } of fitToSchema(config)) draft.notes.push({ path: sourcePath(draft, path), why })
  }
  fit()
  if (!Array.isArray(config['agents']) || config['agents'].length === 0) {
    standIn(config, draft)
    fit()
  }
  const notes = draft.notes.map(({ path, why }) => ({
    ...at(offsetOf(document, path, 'key')),
    message: maskKeys(`${path.join('.') || 'the file'}: ${why}`),
  }))
  notes.sort((a, b) => a.line - b.line || a.column - b.column)
  return { ok: true, yaml: render(config, draft), notes, agents }
}

/** Only what the file said; a copy, so that nothing is shared by an anchor. */
function assemble(draft: Draft): Record<string, unknown> {
  const { agents, orchestrator, execution, timeout_settings, mcp_servers, permissions, ui } = draft
  const all = { agents, orchestrator, execution, timeout_settings, mcp_servers, permissions, ui }
  return JSON.parse(maskKeys(JSON.stringify(all))) as Record<string, unknown>
}

const sourcePath = ({ agentPaths }: Draft, path: Path): Path => {
  const [section, index, ...rest] = path
  const origin = section === 'agents' && typeof index === 'number' ? agentPaths[index] : undefined
  return origin ? [...origin, ...rest] : path
}

function standIn(config: Record<string, unknown>, { tasks }: Draft): void {
  config['agents'] = [{ id: 'agent', backend: { type: 'rehearsal' } }]
  tasks.push({
    path: ['agents', 0],
    text: 'No agent of the file could be taken over. Give this one a backend, or run conclave init.',
  })
}

function render(config: Record<string, unknown>, { tasks }: Draft): string {
  const said = Object.entries(config).filter(([, part]) => Object.keys(part as object).length > 0)
  const document = new Document(Object.fromEntries(said), { aliasDuplicateObjects: false })
  const head = tasks.filter(({ path }) => path.length === 0).map(({ text }) => ` ${text}`)
  document.commentBefore = [' Imported from MassGen. Check it with: conclave config check', ...head].join(
    '\n',
  )
  for (const { path, text } of tasks) {
    const node = path.length === 0 ? undefined : document.getIn(path, true)
    if (isNode(node)) node.commentBefore = [node.commentBefore, ` ${text}`].filter(Boolean).join('\n')
  }
  return document.toString({ lineWidth: 110 })
}
