import { statSync } from 'node:fs'

/**
 * The user commands run as, so that what they write belongs on the host to whom it should:
 * - a daemon without root rights maps its containers' root to the person who runs it;
 * - elsewhere it is ourselves;
 * - and where we are root, the owner of the folder. A folder of root's can only be written by root: then the commands
 *   are root without a single capability, who may do no more than the owner of those files.
 */
export function containerUser(folder: string, daemon: { rootless: boolean }): string {
  if (daemon.rootless) return '0:0'
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  if (uid !== undefined && gid !== undefined && uid !== 0) return `${uid}:${gid}`
  const owner = statSync(folder)
  return `${owner.uid}:${owner.gid}`
}
