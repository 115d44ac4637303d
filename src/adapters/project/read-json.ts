import type { Files } from '../../ports/files.ts'

export type JsonRead =
  | { value: Record<string, unknown>; fingerprint: string }
  | { missing: true }
  /** It is there and is no JSON object: somebody's work, to be left alone. */
  | { problem: string }

/** An object from a JSON file of the project. */
export async function readJson(files: Files, path: string): Promise<JsonRead> {
  const read = await files.readWhole(path)
  if ('refused' in read) {
    const there = await files.stat(path)
    return 'refused' in there && there.refused.includes('does not exist')
      ? { missing: true }
      : { problem: `${path} cannot be read: ${read.refused}` }
  }
  try {
    const value: unknown = JSON.parse(read.text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { value: value as Record<string, unknown>, fingerprint: read.fingerprint }
    return { problem: `${path} does not hold an object; it was left as it is, put it right` }
  } catch (error) {
    const { message } = error as Error
    return { problem: `${path} is no valid JSON (${message}); it was left as it is, put it right` }
  }
}
