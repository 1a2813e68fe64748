import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { connectionOf, Wire } from '../../../runtime/relay/link/index.ts'

interface SocketPair {
  readonly wire: Wire
  readonly peer: WebSocket
  /** What the peer writes to. */
  readonly connection: Duplex
}

/** Two ends of one WebSocket. The test plays the peer of the first. */
export async function socketPair(): Promise<SocketPair> {
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const accepted = new Promise<Omit<SocketPair, 'wire'>>((resolve) =>
    sockets.once('connection', (peer: WebSocket, request: IncomingMessage) => resolve({ peer, connection: request.socket })),
  )
  const own = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const ownConnection = connectionOf(own)
  const opened = new Promise<Wire>((resolve) => own.once('open', () => resolve(new Wire(own, ownConnection()))))
  const { peer, connection } = await accepted
  const wire = await opened
  onTestFinished(() => {
    own.terminate()
    peer.terminate()
    server.closeAllConnections()
    server.close()
  })
  return { wire, peer, connection }
}
