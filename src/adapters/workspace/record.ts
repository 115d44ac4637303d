import { readFile, rename, writeFile, open } from 'node:fs/promises'

/** A JSON file that is there as a whole or not at all. */
export async function writeRecord(path: string, record: unknown): Promise<void> {
  await writeWhole(path, JSON.stringify(record))
}

export async function readRecord<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T
  } catch {
    return undefined
  }
}

export async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`
  await writeFile(temporary, text, { mode: 0o600 })
  const handle = await open(temporary, 'r+')
  await handle.datasync().finally(() => handle.close())
  await rename(temporary, path)
}
