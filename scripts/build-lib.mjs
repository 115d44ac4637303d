// Bundles what others may import (`conclave/core`, `conclave/view`, `conclave/client`) into dist/lib/, its types into dist/types/.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const entries = ['core', 'view', 'client']

/** The files as `{ fileName, source }`, names below `lib/` and `types/`. */
export async function bundleLibrary(rolldown, root) {
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, path.join(root, `src/exports/${name}.ts`)])),
    cwd: root,
    // They run in browsers, too.
    platform: 'neutral',
    tsconfig: false,
    transform: { target: 'es2024' },
  })
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await bundle.close()
  const scripts = output.map((file) => ({ fileName: `lib/${file.fileName}`, source: file.code }))
  return [...scripts, ...declarations(root)]
}

/** Mistakes in the types are for `npm run check` to find; what can be declared is. */
function declarations(root) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'conclave-types-'))
  try {
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
    spawnSync(process.execPath, [tsc, '-p', path.join(root, 'tsconfig.types.json'), '--outDir', folder])
    return fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const file = path.join(parentPath, name)
        return {
          fileName: `types/${path.relative(folder, file).split(path.sep).join('/')}`,
          source: fs.readFileSync(file, 'utf8').replaceAll(/(from '\.{1,2}\/[^']+)\.ts'/g, "$1.js'"),
        }
      })
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
