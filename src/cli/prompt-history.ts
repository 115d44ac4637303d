import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'

const KEPT = 1000

/** What was typed into the input, kept beside the chats: one JSON string a line, readable by the person alone. */
export function promptHistory(file: string): {
  read: () => Promise<string[]>
  add: (prompt: string) => void
} {
  let writing: Promise<unknown> = Promise.resolve()
  return {
    async read() {
      await writing
      const text = await readFile(file, 'utf8').catch(() => '')
      return text.split('\n').flatMap(readLine).slice(-KEPT)
    },
    // Losing a line of history is no reason to stop.
    add(prompt) {
      writing = writing
        .then(() => mkdir(dirname(file), { recursive: true }))
        .then(() => appendFile(file, `${JSON.stringify(prompt)}\n`, { mode: 0o600 }))
        .catch(() => undefined)
    },
  }
}

function readLine(line: string): string[] {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'string' ? [value] : []
  } catch {
    return []
  }
}
