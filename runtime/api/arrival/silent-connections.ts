import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Follows the connections on which nothing has arrived yet. Browsers and load balancers open some in advance. When a server closes, Node
 * waits for them like for requests under way, and its own limits of time have ended by then.
 * @returns closes them, and each that still arrives
 */
export function silentConnections(server: Server): () => void {
  const followed = new Set<Socket>()
  let closing = false
  server.on('connection', (socket: Socket) => {
    if (closing) {
      socket.destroy()
      return
    }
    followed.add(socket)
    socket.once('close', () => followed.delete(socket))
  })
  server.on('request', ({ socket }) => followed.delete(socket))
  return () => {
    closing = true
    for (const socket of followed) if (socket.bytesRead === 0) socket.destroy()
  }
}
