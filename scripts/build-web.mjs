// Bundles the page into dist/web/: one script (and what it loads later), one style sheet, index.html naming them.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** The files of the page as `{ fileName, source }`, names below `web/`. */
export async function bundlePage(rolldown, root) {
  const folder = path.join(root, 'src/web')
  const bundle = await rolldown({
    input: { app: path.join(folder, 'main.tsx') },
    cwd: root,
    platform: 'browser',
    tsconfig: false,
    transform: {
      target: 'es2024',
      jsx: { runtime: 'automatic', development: false },
      define: { 'process.env.NODE_ENV': '"production"' },
    },
  })
  const { output } = await bundle.generate({
    format: 'esm',
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await bundle.close()
  const scripts = output.map((file) => ({
    fileName: `web/${file.fileName}`,
    source: file.code ?? file.source,
  }))
  const styles = styleSheet(path.join(folder, 'styles'))
  const entry = output.find((file) => file.isEntry)
  const html = fs
    .readFileSync(path.join(folder, 'index.html'), 'utf8')
    .replace('app.css', path.basename(styles.fileName))
    .replace('main.tsx', entry.fileName)
  const icon = { fileName: 'web/icon.svg', source: fs.readFileSync(path.join(folder, 'icon.svg')) }
  return [...scripts, styles, icon, { fileName: 'web/index.html', source: html }]
}

/** All sheets in the order of their names, without comments and indentation. */
function styleSheet(folder) {
  const names = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.css'))
    .toSorted()
  const source = names
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'))
    .join('\n')
    .replaceAll(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '')
    .replaceAll(/\n\s*/g, '\n')
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
  return { fileName: `web/app-${hash}.css`, source }
}
