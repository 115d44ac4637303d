import type { HereDoc, Script, SyntaxNode } from 'unbash'
import type { CommandAccess } from '../schema/access.ts'
import { isCovered } from './shell-analysis-coverage.ts'
import { findHiddenText } from './shell-analysis-text.ts'
import { Survey } from './shell-analysis-survey.ts'

/** Longer ones are not taken apart: nobody writes them by hand, and nobody reads them before approving. */
const LONGEST_COMMAND = 256 * 1024
const MOST_NODES = 500_000
/** The parser takes time that grows with their square. */
const MOST_HEREDOCS = 200
const DEEPEST_SCRIPT = 8

/**
 * Takes a command line apart, to show, ask and deny; never to grant. A command that looks as if it only looks is run
 * where it can do nothing else.
 */
export async function analyzeCommand(command: string): Promise<CommandAccess> {
  const hidden = findHiddenText(command)
  const unreadable = (why: string): CommandAccess => ({
    kind: 'command',
    command,
    parts: [],
    looks_read_only: false,
    notes: [why, ...hidden],
  })
  if (command.length > LONGEST_COMMAND || command.split('<<', MOST_HEREDOCS + 2).length > MOST_HEREDOCS + 1)
    return unreadable('too long to be taken apart')
  const survey = await surveyCommand(command)
  if (!survey) return unreadable('cannot be taken apart: it is not valid bash, or too deeply nested')
  return {
    kind: 'command',
    command,
    parts: [...survey.parts],
    looks_read_only: survey.readOnly && survey.parts.size > 0 && hidden.length === 0,
    notes: [...survey.notes, ...hidden],
  }
}

let unbash: typeof import('unbash') | undefined

/** Nothing when any part of it cannot be parsed, also a script in a quoted argument. */
async function surveyCommand(command: string): Promise<Survey | undefined> {
  unbash ??= await import('unbash')
  const { parse, forEachChild } = unbash
  let nodes = 0
  const survey = new Survey((source, depth) => {
    if (depth > DEEPEST_SCRIPT) throw new Unreadable()
    const scripts: Script[] = []
    const heredocs: HereDoc[] = []
    const visit = (node: SyntaxNode): void => {
      nodes += 1
      if (nodes > MOST_NODES || (node.type === 'Script' && node.errors?.length)) throw new Unreadable()
      if (node.type === 'Script') scripts.push(node)
      if (node.type === 'HereDoc') heredocs.push(node)
      survey.see(node, depth)
      forEachChild(node, visit)
    }
    visit(parse(source))
    if (!scripts.every((script) => isCovered(script, source, heredocs))) throw new Unreadable()
  })
  try {
    survey.script(command, 0)
    return survey
  } catch {
    // Also an error of the parser itself: whatever it cannot read, a person has to.
    return undefined
  }
}

class Unreadable extends Error {}
