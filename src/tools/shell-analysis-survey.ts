import type { Assignment, Command, Redirection, SyntaxNode } from 'unbash'
import { type Argument, baseName, readAssignment, readWord, showArgument } from './shell-analysis-words.ts'
import { describeProgram } from './shell-analysis-notes.ts'
import { onlyLooks } from './shell-analysis-lookers.ts'
import { unwrap } from './shell-analysis-wrappers.ts'

/** What has been found so far in a command line: it can only become more, and less harmless. */
export class Survey {
  readonly parts = new Set<string>()
  readonly notes = new Set<string>()
  readOnly = true
  /** Reads a script, telling this survey of every node in it. */
  readonly script: (text: string, depth: number) => void

  constructor(script: (text: string, depth: number) => void) {
    this.script = script
  }

  see(node: SyntaxNode, depth: number): void {
    switch (node.type) {
      case 'Command':
        return this.#command(node, depth)
      case 'Redirect':
      case 'HereDoc':
      case 'HereString':
        return this.#redirection(node)
      case 'Assignment':
        return this.#assignment(node)
      case 'For':
        if (!isHarmlessName(node.name.text)) this.readOnly = false
        return
      case 'Statement':
        if (node.background) this.readOnly = false
        return
      case 'ProcessSubstitution':
        if (node.operator === '>') this.readOnly = false
        return
      // These run or assign something in ways that depend on the values of variables.
      case 'Function':
      case 'Coproc':
      case 'Select':
      case 'TestCommand':
      case 'ArithmeticCommand':
      case 'ArithmeticFor':
      case 'ArithmeticExpansion':
      case 'Transform':
      case 'Unknown':
        this.readOnly = false
        return
      case 'Default':
        if (node.operator.endsWith('=')) this.readOnly = false
        return
      case 'ParameterExpansion':
        if (node.prefix === '!' || node.index) this.readOnly = false
    }
  }

  #command(node: Command, depth: number): void {
    const prefix = node.prefix.flatMap((item) => (item.type === 'Assignment' ? [item.text] : []))
    const words = node.args.map((item) => (item.type === 'Word' ? readWord(item) : readAssignment(item)))
    if (!node.name) {
      if (prefix.length > 0) this.parts.add(prefix.join(' '))
      return
    }
    const line = [readWord(node.name), ...words]
    if (prefix.length > 0) this.parts.add(`${prefix.join(' ')} ${line.map(showArgument).join(' ')}`)
    this.#program(line, depth, scriptOnStdin(node.redirects))
  }

  /** One program with its arguments, and every program it starts in turn. */
  #program(line: readonly Argument[], depth: number, stdin: string | undefined): void {
    const [first] = line
    if (!first) return
    const shown = line.map(showArgument)
    const part = shown.join(' ')
    if (this.parts.has(part) && stdin === undefined) return
    this.parts.add(part)
    if (first.value === undefined) {
      this.notes.add(`which program ${first.text} is shows only when it runs`)
      this.readOnly = false
      return
    }
    const name = baseName(first.value)
    shown[0] = name
    // Rules see a program by its path and by its name: one of the two is enough to deny it, not to allow it.
    if (name !== first.value) this.parts.add(shown.join(' '))
    for (const note of describeProgram(name, shown)) this.notes.add(note)
    const wrapped = unwrap(line, stdin)
    if (!wrapped) {
      if (this.readOnly && !onlyLooks(line)) this.readOnly = false
      return
    }
    if (!wrapped.harmless) this.readOnly = false
    if (wrapped.unknown) this.notes.add(wrapped.unknown)
    for (const inner of wrapped.programs) this.#program(inner, depth, undefined)
    for (const script of wrapped.scripts) this.script(script, depth + 1)
  }

  #redirection(node: Redirection): void {
    if (node.descriptor?.type === 'FileDescriptorVariable') this.readOnly = false
    if (node.type !== 'Redirect' || !node.target) return
    const target = readWord(node.target)
    if (isDevice(target, '/dev/tcp/') || isDevice(target, '/dev/udp/')) {
      this.notes.add(`reaches the network: ${target.text}`)
      this.readOnly = false
    }
    if (node.operator === '<' || isDescriptor(node.operator, target) || target.value === '/dev/null') return
    this.readOnly = false
    const operator = node.operator === '>&' ? '>' : node.operator
    this.parts.add(`${operator} ${showArgument(target)}`)
    this.notes.add(`writes to ${showArgument(target)}`)
  }

  #assignment({ name }: Assignment): void {
    if (!isHarmlessName(name)) this.readOnly = false
  }
}

/** Variables that no program takes orders from: ours in lower case, and how text is shown. */
const isHarmlessName = (name: string): boolean =>
  /^[a-z_][a-z0-9_]*$/u.test(name) ||
  ['LC_ALL', 'LANG', 'TZ', 'COLUMNS', 'LINES', 'NO_COLOR', 'TERM'].includes(name)

const isDescriptor = (operator: string, { value }: Argument): boolean =>
  (operator === '>&' || operator === '<&') && value !== undefined && /^(\d+-?|-)$/u.test(value)

const isDevice = ({ value, text }: Argument, device: string): boolean => (value ?? text).includes(device)

/** What a shell would read as its script. */
function scriptOnStdin(redirects: readonly Redirection[]): string | undefined {
  const last = redirects.findLast((item) => item.type !== 'Redirect' || item.operator === '<')
  if (last?.type === 'HereDoc') return last.body.parts ? undefined : last.body.text
  return last?.type === 'HereString' && last.target ? readWord(last.target).value : undefined
}
