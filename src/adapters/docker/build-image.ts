import { DockerError, type EngineApi } from './engine-api.ts'

/** Builds an image from a Dockerfile alone. Says what the daemon says; throws `DockerError` when it fails. */
export async function buildImage(
  api: EngineApi,
  order: { name: string; dockerfile: string; onText: (text: string) => void },
): Promise<void> {
  const query = new URLSearchParams({ t: order.name, rm: '1', forcerm: '1' })
  let problem: string | undefined
  await api.upload(`/build?${query}`, tarOf('Dockerfile', order.dockerfile), (line) => {
    const { stream, status, error } = (line ?? {}) as { stream?: string; status?: string; error?: string }
    if (error !== undefined) problem = error
    const text = stream ?? (status === undefined ? '' : `${status}\n`)
    if (text !== '') order.onText(text)
  })
  if (problem !== undefined) throw new DockerError(0, problem)
}

const BLOCK = 512

/** An archive of one file. */
export function tarOf(name: string, text: string): Buffer {
  const content = Buffer.from(text)
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`
  const fields: [at: number, value: string][] = [
    [0, name],
    [100, octal(0o644, 8)],
    [108, octal(0, 8)],
    [116, octal(0, 8)],
    [124, octal(content.length, 12)],
    [136, octal(0, 12)],
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\x0000'],
  ]
  for (const [at, value] of fields) header.write(value, at, 'latin1')
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)
  return Buffer.concat([header, content, padding, Buffer.alloc(2 * BLOCK)])
}
