/** How many bytes are read ahead, at least. Each part that a thread gets costs two messages. */
const enough = 64 * 1024

/**
 * Reads ahead, and joins what has arrived by the time that it is asked for. So parts are large if they arrive
 * faster than they are used, and nobody waits for a part that could already be used.
 * @returns new buffers, which the caller may transfer
 */
export async function* inLargeParts(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  const parts = body[Symbol.asyncIterator]()
  let waiting: Uint8Array[] = []
  let size = 0
  let ended = false
  let broken: { readonly reason: unknown } | null = null
  let reading = false
  let arrived = Promise.withResolvers<void>()
  const readOn = async (): Promise<void> => {
    if (reading) return
    reading = true
    try {
      while (!ended && size < enough) {
        const { value, done } = await parts.next()
        if (done) ended = true
        else waiting.push(value)
        size += done ? 0 : value.length
        arrived.resolve()
      }
    } catch (reason) {
      ended = true
      broken = { reason }
      arrived.resolve()
    } finally {
      reading = false
    }
  }
  try {
    for (;;) {
      void readOn()
      await arrived.promise
      if (waiting.length === 0) {
        if (broken) throw (broken as { readonly reason: unknown }).reason
        return
      }
      const joined = Uint8Array.from(Buffer.concat(waiting))
      waiting = []
      size = 0
      if (!ended) arrived = Promise.withResolvers()
      yield joined
    }
  } finally {
    ended = true
    parts.return?.()?.catch(() => {})
  }
}
