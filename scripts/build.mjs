// Bundles the program into dist/. Plain JavaScript: npm runs it with whatever Node is on the PATH.
import fs from 'node:fs'
import path from 'node:path'

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
    external: [/^node:/, '@vscode/ripgrep'],
    transform: { target: 'node24', define: { __VERSION__: JSON.stringify(version) } },
  })
  const { output } = await bundle.generate({
    format: 'esm',
    // Names and lines stay, so that a stack trace in a bug report can be read; dropping them starts no faster.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await bundle.close()
  writeOutput(output)
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
  fs.mkdirSync(dist, { recursive: true })
  const files = output.toSorted((a, b) => Number(a.fileName === 'main.js') - Number(b.fileName === 'main.js'))
  for (const file of files) {
    const temporary = path.join(dist, `.${process.pid}-${file.fileName}`)
    fs.writeFileSync(temporary, file.type === 'chunk' ? file.code : file.source)
    fs.renameSync(temporary, path.join(dist, file.fileName))
  }
  const current = new Set(output.map((file) => file.fileName))
  for (const name of fs.readdirSync(dist)) {
    // A dotted name belongs to a build that is running at the same time.
    if (!current.has(name) && !name.startsWith('.'))
      fs.rmSync(path.join(dist, name), { recursive: true, force: true })
  }
}
