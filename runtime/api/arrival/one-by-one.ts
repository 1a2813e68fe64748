import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { mostPipelined } from '../limits.ts'

interface Raw<Message> {
  readonly raw: Message
}

/**
 * Makes a hook that begins the next request of a connection only after the answer before it was sent, in a later turn of the event loop.
 * A client may send many requests at once, on many connections. Node hands over all of them in one turn, and nobody else would be
 * answered before the last of them. Closes a connection on which too many wait.
 */
export function oneByOne(): (request: Raw<IncomingMessage>, reply: Raw<ServerResponse>, done: () => void) => void {
  /** For each connection with a request that has no answer yet: what begins the requests that wait behind it. */
  const lines = new WeakMap<Socket, (() => void)[]>()

  return ({ raw: { socket } }, { raw: response }, done) => {
    const line = lines.get(socket) ?? []
    const begin = (): void => {
      // The client is gone.
      if (socket.destroyed) return
      response.once('close', () => {
        const next = line.shift()
        if (next) setImmediate(next)
        else lines.delete(socket)
      })
      done()
    }
    if (!lines.has(socket)) {
      lines.set(socket, line)
      begin()
    } else if (line.length < mostPipelined) line.push(begin)
    else socket.destroy()
  }
}
