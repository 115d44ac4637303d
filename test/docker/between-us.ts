import net from 'node:net'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { Docker } from '../support/docker.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A socket that passes everything on to the daemon, except what it is told to stop: the creation of containers. */
export async function betweenUs(
  docker: Docker,
): Promise<{ host: string; onCreate: (pass: () => boolean) => void }> {
  const at = path.join(temporaryFolder(), 'between.sock')
  let mayPass = (): boolean => true
  const server = net.createServer({ allowHalfOpen: true }, (near) => {
    const far = net.connect({ path: docker.socket, allowHalfOpen: true })
    near.on('data', (chunk: Buffer) => {
      if (/^POST \S*\/containers\/create/u.test(chunk.toString('latin1')) && !mayPass()) return
      far.write(chunk)
    })
    near
      .on('end', () => far.end())
      .on('error', () => far.destroy())
      .on('close', () => far.destroy())
    far.pipe(near)
    far.on('error', () => near.destroy())
  })
  await new Promise<void>((resolve) => server.listen(at, resolve))
  onTestFinished(() => void server.close())
  return { host: `unix://${at}`, onCreate: (pass) => void (mayPass = pass) }
}
