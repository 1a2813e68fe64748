import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Turns } from '../../fairness/index.ts'
import { networkOf } from '../../formats/index.ts'
import { mostPipelined } from '../limits.ts'

interface Arrived {
  readonly raw: IncomingMessage
  /** The address of the client. */
  readonly ip: string
}

interface Answering {
  readonly raw: ServerResponse
}

/**
 * Makes a hook that begins the next request of a connection only after the answer before it was sent, in a later turn of the event loop.
 * A client may send many requests at once, on many connections. Node hands over all of them in one turn, and nobody else would be
 * answered before the last of them. Closes a connection on which too many wait.
 * @param turns shares the event loop among clients. Node accepts one connection in a pass of the loop, and an alert takes several
 * passes, so a pass must not begin the requests of hundreds of connections
 */
export function oneByOne(turns: Turns): (request: Arrived, reply: Answering, done: () => void) => void {
  /** For each connection with a request that has no answer yet: what begins the requests that wait behind it. */
  const lines = new WeakMap<Socket, (() => void)[]>()

  return ({ raw: { socket }, ip }, { raw: response }, done) => {
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
    const beginInTurn = (): void => {
      const turn = turns.next(clientOf(ip))
      if (turn) void turn.then(begin)
      else begin()
    }
    if (!lines.has(socket)) {
      lines.set(socket, line)
      beginInTurn()
    } else if (line.length < mostPipelined) line.push(beginInTurn)
    else socket.destroy()
  }
}

/** Only an IPv6 address has to be parsed, which costs a part of a small request. */
function clientOf(ip: string): string {
  return ip.includes(':') ? networkOf(ip) : ip
}
