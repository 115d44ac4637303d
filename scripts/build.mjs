// Bundles the program into dist/. Plain JavaScript: npm runs it with whatever Node is on the PATH.
import fs from 'node:fs'
import path from 'node:path'
import { bundleLibrary } from './build-lib.mjs'
import { bundlePage } from './build-web.mjs'
import { joinModules } from './join-modules.mjs'
import { patchPiTui } from './patch-pi-tui.mjs'

const root = path.join(import.meta.dirname, '..')
const entry = path.join(root, 'src/cli/main.ts')
const dist = path.join(root, 'dist')

try {
  await build()
} catch (error) {
  console.error(`build: ${error.message}`)
  process.exitCode = 1
}

async function build() {
  if (!fs.existsSync(entry)) {
    console.log('build: src/cli/main.ts does not exist yet; nothing to bundle')
    return
  }
  const rolldown = await loadRolldown()
  if (!rolldown) {
    console.error('build: rolldown is not installed. Run npm install without --omit=dev.')
    process.exitCode = 1
    return
  }
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
  const bundle = await rolldown({
    input: { main: entry },
    cwd: root,
    platform: 'node',
    tsconfig: false,
    plugins: [patchPiTui(root)],
    external: [/^node:/],
    // Files that hold joined modules export whatever the others need.
    preserveEntrySignatures: 'allow-extension',
    checks: { ineffectiveDynamicImport: false },
    // What the terminal UI does not use of these is left out: they only define things when they are loaded.
    treeshake: {
      moduleSideEffects: [{ test: /node_modules\/(@earendil-works\/pi-tui|marked)\//, sideEffects: false }],
    },
    transform: { target: 'node24', define: { __VERSION__: JSON.stringify(version) } },
  })
  const { output } = await bundle.generate({
    format: 'esm',
    // Names and lines stay, so that a stack trace in a bug report can be read; dropping them starts no faster.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: [joinModules(path.join(root, 'src/cli'))] },
  })
  await bundle.close()
  writeOutput([...(await bundlePage(rolldown, root)), ...(await bundleLibrary(rolldown, root)), ...output])
}

async function loadRolldown() {
  try {
    return (await import('rolldown')).rolldown
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** Chunks first, the entry last, old files after that: a program started meanwhile finds a whole bundle. */
function writeOutput(output) {
  const entries = ['main.js', 'web/index.html']
  const isEntry = (file) => Number(entries.includes(file.fileName))
  const files = output.toSorted((a, b) => isEntry(a) - isEntry(b))
  for (const file of files) {
    const { dir, base } = path.parse(path.join(dist, file.fileName))
    const temporary = path.join(dir, `.${process.pid}-${base}`)
    fs.mkdirSync(dir, { recursive: true })
    fs.writeFileSync(temporary, file.type === 'chunk' ? file.code : file.source)
    fs.renameSync(temporary, path.join(dir, base))
  }
  const current = new Set(output.map((file) => file.fileName))
  for (const entry of fs.readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    // A dotted name belongs to a build that is running at the same time.
    const isOld =
      !entry.name.startsWith('.') && !current.has(path.relative(dist, file).replaceAll(path.sep, '/'))
    if (entry.isFile() && isOld) fs.rmSync(file, { force: true })
  }
}
