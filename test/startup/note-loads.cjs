// Preloaded into the program: writes down every file as it is loaded, the first frame, and what was used in the end.
const fs = require('node:fs')
const { registerHooks } = require('node:module')

const log = process.env.CONCLAVE_TEST_LOADS
const note = (line) => fs.appendFileSync(log, `${JSON.stringify(line)}\n`)

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (url.startsWith('file:')) note({ file: url, bytes: loaded.source?.length ?? 0 })
    return loaded
  },
})

// Shorter ones only ask the terminal what it can do.
const FRAME_CHARACTERS = 500
if (process.stdout.isTTY) {
  const write = process.stdout.write
  process.stdout.write = function (text, ...rest) {
    if (String(text).length > FRAME_CHARACTERS) {
      process.stdout.write = write
      note({ frame: true })
    }
    return write.call(this, text, ...rest)
  }
}

// Not `resourceUsage().maxRSS`, which counts what the process was before it became this program: a copy of its parent.
const peakKilobytes = () =>
  Number(/^VmHWM:\s*(\d+)/mu.exec(fs.readFileSync('/proc/self/status', 'utf8'))?.[1])

process.once('exit', () =>
  note({
    memory_mb: Math.round(peakKilobytes() / 1024),
    fetch: process.moduleLoadList.some((name) => name.includes('undici/undici')),
  }),
)
