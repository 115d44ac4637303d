/** A picture somebody pasted: the name of its file, as a terminal gives it for a file that is dropped, or its bytes. */
export type PastedImage = { kind: 'file'; path: string } | { kind: 'data' }

export function pastedImage(text: string): PastedImage | undefined {
  const said = text.trim()
  if (
    /^data:image\/[\w.+-]+;base64,/i.test(said) ||
    /^(?:\u0089PNG|iVBORw0KGgo|\/9j\/4|GIF8[79]a)/.test(said)
  )
    return { kind: 'data' }
  if (said === '' || said.includes('\n')) return undefined
  const quoted = /^(['"])(.*)\1$/.exec(said)?.[2]
  const path = (quoted ?? said.replaceAll(/\\(.)/g, '$1')).replace(/^file:\/\//, '')
  return /\.(?:png|jpe?g|gif|webp)$/i.test(path) && /^(?:~?\/|\.{1,2}\/)|^[^\s:]+$/.test(path)
    ? { kind: 'file', path }
    : undefined
}
