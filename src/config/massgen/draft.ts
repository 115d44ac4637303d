import { describeFound } from '../describe-value.ts'
import type { Path } from '../locate.ts'

export type Values = Record<string, unknown>

/** Something of the file that is not in the draft as it was, and why. */
export interface Note {
  path: Path
  why: string
}

/** The config an import is making: only what the file said, nothing of its keys. */
export interface Draft {
  agents: Values[]
  /** Where each agent stood in the file. */
  agentPaths: Path[]
  orchestrator: Values
  execution: Values
  timeout_settings: Values
  mcp_servers: Record<string, Values>
  permissions: Values[]
  ui: Values
  notes: Note[]
  /** What the person still has to do, by the path in the draft that it is about; the empty path is the whole file. */
  tasks: { path: Path; text: string }[]
}

export const emptyDraft = (): Draft => ({
  agents: [],
  agentPaths: [],
  orchestrator: {},
  execution: {},
  timeout_settings: {},
  mcp_servers: {},
  permissions: [],
  ui: {},
  notes: [],
  tasks: [],
})

export const isMap = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A map of the file that remembers which of its keys were looked at, so that every other one can be reported. */
export class Section {
  readonly path: Path
  readonly #draft: Draft
  readonly #values: Values
  readonly #taken = new Set<string>()

  constructor(value: unknown, path: Path, draft: Draft) {
    this.path = path
    this.#draft = draft
    this.#values = isMap(value) ? value : {}
    if (!isMap(value) && value !== undefined && value !== null) this.note('', 'it is not a map')
  }

  take(key: string): unknown {
    this.#taken.add(key)
    return Object.hasOwn(this.#values, key) ? this.#values[key] : undefined
  }

  /** The first of these keys that has a value; the others count as looked at. */
  takeFirst(...keys: string[]): unknown {
    return keys.map((key) => this.take(key)).find((value) => value !== undefined && value !== null)
  }

  text(key: string): string | undefined {
    const value = this.take(key)
    if (typeof value === 'string') return value === '' ? undefined : value
    this.#expect(key, 'a string', value)
    return undefined
  }

  number(key: string): number | undefined {
    const value = this.take(key)
    if (typeof value === 'number') return value
    this.#expect(key, 'a number', value)
    return undefined
  }

  /** One of these words. */
  choice<T extends string>(key: string, words: readonly T[]): T | undefined {
    const value = this.take(key)
    const found = words.find((word) => word === value)
    if (found === undefined) this.#expect(key, words.join(' or '), value)
    return found
  }

  texts(key: string): string[] {
    const value = this.take(key)
    if (typeof value === 'string') return [value]
    if (!Array.isArray(value)) this.#expect(key, 'a list of strings', value)
    return (Array.isArray(value) ? (value as unknown[]) : []).filter((item) => {
      if (typeof item !== 'string') this.#expect(key, 'a string', item)
      return typeof item === 'string'
    })
  }

  #expect(key: string, what: string, found: unknown): void {
    if (found !== undefined && found !== null)
      this.note(key, `expected ${what}, found ${describeFound(found)}`)
  }

  section(key: string): Section {
    return new Section(this.take(key), [...this.path, key], this.#draft)
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#values, key) && this.#values[key] !== null
  }

  keys(): string[] {
    return Object.keys(this.#values)
  }

  note(key: string, why: string): void {
    this.#draft.notes.push({ path: key === '' ? this.path : [...this.path, key], why })
  }

  /** Reports what nobody looked at. */
  reportRest(reasons: ReadonlyMap<string, string> = new Map()): void {
    for (const key of this.keys()) {
      if (!this.#taken.has(key)) this.note(key, reasons.get(key) ?? 'Conclave has nothing like it')
    }
  }
}
