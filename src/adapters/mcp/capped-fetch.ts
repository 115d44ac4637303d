/**
 * A fetch whose answers cannot fill our memory. An event stream may go on for ever, so there each event is measured;
 * anything else as a whole.
 */
export function cappedFetch(longest: number, onTooLong: () => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (!response.body) return response
    const streams = (response.headers.get('content-type') ?? '').includes('text/event-stream')
    let size = 0
    const measure = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length
        if (size > longest) {
          onTooLong()
          controller.error(new Error(`the answer is longer than ${longest} bytes`))
          return
        }
        if (streams && endsEvent(chunk)) size = 0
        controller.enqueue(chunk)
      },
    })
    const { status, statusText, headers } = response
    const capped = new Response(response.body.pipeThrough(measure), { status, statusText, headers })
    // A response made by hand has no address, and the SDK judges redirects by it.
    Object.defineProperty(capped, 'url', { value: response.url })
    return capped
  }
}

/** Whether there is an empty line in it. One cut between two chunks is missed; the next is not. */
function endsEvent(chunk: Uint8Array): boolean {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  return bytes.includes('\n\n') || bytes.includes('\r\n\r\n')
}
