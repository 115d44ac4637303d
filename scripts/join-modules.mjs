import fs from 'node:fs'
import path from 'node:path'

/**
 * Loading a file costs more than the code in it (to find it, to look for its package and to link it), so what a start
 * always needs lies in four: what every command loads, what the terminal UI shares with a headless run before its first
 * frame, the rest of that frame, and the rest of such a run. Everything else is left to the bundler.
 */
export function joinModules(cli) {
  const roots = (names) => names.map((name) => fs.realpathSync(path.join(cli, name)))
  const everyCommand = roots(['run.ts', 'cache-folder.ts'])
  const terminal = roots(['commands/tui.ts'])
  const headless = roots([
    'commands/print.ts',
    // Loaded by name on the way to the first request.
    'load-model.ts',
    '../config/cached.ts',
    '../adapters/models/openai-compatible/openai-compatible.ts',
    '../adapters/models/resilient/resilient.ts',
    '../adapters/models/prices/windows.ts',
  ])
  let sets
  // A package names all of its modules in one file, so what is used of it cannot be told from its imports.
  let packages
  return {
    debugName: 'start',
    name(id, bundle) {
      sets ??= [everyCommand, terminal, headless].map((from) => reach(from, bundle))
      const [always, shown, asked] = sets
      packages ??= reach([...shown].filter(isPackage), bundle)
      if (always.has(id)) return 'start'
      if (shown.has(id) && asked.has(id)) return 'shared'
      if (asked.has(id)) return 'chat'
      return shown.has(id) && !packages.has(id) ? 'terminal' : null
    },
    // Each holds all that its modules import, but for what `start` and `shared` hold.
    includeDependenciesRecursively: false,
  }
}

const isPackage = (id) => id.includes('node_modules')

/** The modules that are loaded together with these. */
function reach(from, bundle) {
  const found = new Set()
  const open = [...from]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const info = found.has(id) ? undefined : bundle.getModuleInfo(id)
    found.add(id)
    open.push(...(info?.importedIds ?? []))
  }
  return found
}
