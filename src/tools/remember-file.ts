import type { ToolContext } from './tool.ts'

/** After a write of our own: what is in the file now is what the agent knows. */
export async function rememberFile(
  path: string,
  { files, seen }: Pick<ToolContext, 'files' | 'seen'>,
): Promise<void> {
  if (!seen) return
  const file = await files.stat(path)
  if ('refused' in file || file.fingerprint === undefined) seen.delete(path)
  else seen.set(path, file.fingerprint)
}
