import { copyFile, lstat } from 'node:fs/promises'

/** Does nothing when there is no regular file: a pipe in its place would never end. */
export async function copyPlainFile(from: string, to: string): Promise<void> {
  const info = await lstat(from).catch(() => undefined)
  if (info?.isFile()) await copyFile(from, to).catch(() => {})
}
