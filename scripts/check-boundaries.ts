import fs from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'

/**
 * Who may import whom, as in docs/architecture.md. Every folder may import itself. An arrow names a folder, one file of
 * it, or with `type` in front a folder of which only types may be taken.
 */
const face = ['schema', 'core', 'view', 'client', 'type engine', 'engine/engine.ts']
const arrows: Record<string, string[]> = {
  schema: [],
  core: ['schema'],
  ports: ['schema'],
  prompts: ['schema', 'core', 'ports'],
  tools: ['schema', 'ports', 'core'],
  engine: ['schema', 'core', 'ports', 'tools', 'prompts'],
  adapters: ['schema', 'ports', 'core'],
  config: ['schema', 'ports'],
  view: ['schema', 'core'],
  client: ['schema', 'view', 'core', 'type ports'],
  headless: face,
  tui: face,
  web: face,
  acp: face,
  mcp: face,
  server: face,
  /** What others import; nobody here does. */
  exports: ['schema', 'core', 'view', 'client'],
}
/** Sees everything, and nobody sees it. */
const compositionRoot = 'cli'
/** Data and rules only: no packages, no Node, no clock, no chance. They run in the browser too. */
const pure = ['schema', 'core', 'view']
/** The one package some files of theirs may import all the same. */
const exceptions = [{ files: /^src\/schema\/config(\/[\w-]+)?\.ts$/, from: 'zod' }]

/** The violations in a tree of files, given by their paths from the root. Texts of files that are not TypeScript are not read. */
export function checkBoundaries(tree: Map<string, string>): string[] {
  const problems: string[] = []
  const graph = new Map<string, string[]>()
  for (const [file, text] of tree) {
    if (!/\.tsx?$/.test(file) || /\.test(-support)?\.tsx?$/.test(file)) continue
    const { imports, impurities, errors } = scan(file, text)
    for (const error of errors) problems.push(`${file}: ${error}`)
    if (!knownFolder(folderOf(file))) {
      problems.push(`${file}: no such layer; a new one needs a row in scripts/check-boundaries.ts`)
    }
    for (const found of imports) {
      const problem = judge(file, found, tree)
      if (problem) problems.push(`${file}: ${problem}`)
    }
    if (pure.includes(folderOf(file))) {
      for (const what of impurities)
        problems.push(`${file}: uses ${what}; ${folderOf(file)} is pure, so pass it in`)
    }
    const values = imports.filter(({ from, typeOnly }) => from.startsWith('.') && !typeOnly)
    graph.set(
      file,
      values.map(({ from }) => resolve(file, from)),
    )
  }
  for (const cycle of findCycles(graph)) problems.push(`import cycle: ${cycle.join(' → ')}`)
  return problems
}

interface Import {
  from: string
  typeOnly: boolean
}

function judge(file: string, { from, typeOnly }: Import, tree: Map<string, string>): string | undefined {
  const folder = folderOf(file)
  if (!from.startsWith('.')) {
    if (!pure.includes(folder)) return undefined
    if (exceptions.some((exception) => exception.files.test(file) && exception.from === from))
      return undefined
    return `imports ${from}; ${folder} imports nothing from outside src`
  }
  const target = resolve(file, from)
  if (!target.startsWith('src/')) return `imports ${from}, which is outside src`
  if (!tree.has(target)) return `imports ${from}, which does not exist`
  const other = folderOf(target)
  if (other === folder || folder === compositionRoot || !knownFolder(folder)) return undefined
  const allowed = arrows[folder] ?? []
  if (allowed.some((arrow) => arrow === other || `src/${arrow}` === target)) return undefined
  if (!allowed.includes(`type ${other}`)) return `imports ${target}; ${folder} may not import ${other}`
  return typeOnly ? undefined : `imports ${target}; ${folder} may import only types from ${other}`
}

function scan(file: string, text: string): { imports: Import[]; impurities: string[]; errors: string[] } {
  const { module, program, errors: syntax } = parseSync(file, text)
  const errors = syntax.map(({ message }) => `cannot be parsed: ${message}`)
  const imports: Import[] = module.staticImports.map(({ moduleRequest, entries }) => ({
    from: moduleRequest.value,
    typeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
  }))
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, isType } of entries) {
      if (moduleRequest) imports.push({ from: moduleRequest.value, typeOnly: isType })
    }
  }
  const impurities: string[] = []
  new Visitor({
    ImportExpression({ source }) {
      if (source.type === 'Literal' && typeof source.value === 'string') {
        imports.push({ from: source.value, typeOnly: false })
      } else errors.push('import() of something that is not a plain string cannot be checked or bundled')
    },
    TSImportType({ source }) {
      imports.push({ from: source.value, typeOnly: true })
    },
    Identifier({ name, start, end }) {
      const isProperty = text[start - 1] === '.' || /^\??:/.test(text.slice(end, end + 2))
      if (['process', 'globalThis'].includes(name) && !isProperty) impurities.push(name)
    },
    MemberExpression({ object, property }) {
      if (object.type !== 'Identifier' || property.type !== 'Identifier') return
      const name = `${object.name}.${property.name}`
      if (['Date.now', 'Math.random'].includes(name)) impurities.push(name)
    },
    NewExpression({ callee, arguments: args }) {
      if (callee.type === 'Identifier' && callee.name === 'Date' && args.length === 0)
        impurities.push('new Date()')
    },
  }).visit(program)
  return { imports, impurities, errors }
}

const folderOf = (file: string): string => file.split('/')[1] ?? file

const knownFolder = (folder: string): boolean => folder === compositionRoot || Object.hasOwn(arrows, folder)

const resolve = (file: string, from: string): string => path.posix.join(path.posix.dirname(file), from)

/** One cycle for each knot, found depth first. */
function findCycles(graph: Map<string, string[]>): string[][] {
  const cycles: string[][] = []
  const done = new Set<string>()
  const trail: string[] = []
  const visit = (file: string): void => {
    const start = trail.indexOf(file)
    if (start !== -1) cycles.push([...trail.slice(start), file])
    if (start !== -1 || done.has(file)) return
    trail.push(file)
    for (const next of graph.get(file) ?? []) visit(next)
    trail.pop()
    done.add(file)
  }
  for (const file of graph.keys()) visit(file)
  return cycles
}

function readTree(root: string): Map<string, string> {
  const tree = new Map<string, string>()
  for (const entry of fs.readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    const text = /\.tsx?$/.test(file) ? fs.readFileSync(file, 'utf8') : ''
    tree.set(path.relative(root, file).split(path.sep).join('/'), text)
  }
  return tree
}

if (import.meta.main) {
  const problems = checkBoundaries(readTree(path.join(import.meta.dirname, '..')))
  for (const problem of problems) console.log(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
