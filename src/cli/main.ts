declare const __VERSION__: string

const OLDEST_NODE = 24

/** Starts as little as the command needs: the version and the help load nothing but this file. */
async function main(argv: string[]): Promise<number> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${__VERSION__}\n`)
    return 0
  }
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
    process.stderr.write(
      `conclave needs Node ${OLDEST_NODE} or newer and was started with ${process.version}.\n` +
        'Run npm install again without --omit=optional: it brings the right one along.\n',
    )
    return 1
  }
  await enableCompileCache()
  const { run } = await import('./run.ts')
  return run(argv, __VERSION__)
}

/** Compiled code is kept beside the user's other caches; where that cannot be written, we just start slower. */
async function enableCompileCache(): Promise<void> {
  const { enableCompileCache } = await import('node:module')
  const { cacheFolder } = await import('./cache-folder.ts')
  const folder = cacheFolder()
  if (folder) enableCompileCache(`${folder}/compiled`)
}

// Setting `exitCode` alone would wait for kept connections; everything is flushed and closed by now.
process.exit(await main(process.argv.slice(2)))
