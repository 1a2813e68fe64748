import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { connectionOf, Wire } from '../../../runtime/relay/link/index.ts'

/** Two ends of one WebSocket. The test plays the peer of the first. */
export async function socketPair(): Promise<{ readonly wire: Wire; readonly peer: WebSocket }> {
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const accepted = new Promise<WebSocket>((resolve) => sockets.once('connection', resolve))
  const own = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const connection = connectionOf(own)
  const opened = new Promise<Wire>((resolve) => own.once('open', () => resolve(new Wire(own, connection()))))
  const peer = await accepted
  const wire = await opened
  onTestFinished(() => {
    own.terminate()
    peer.terminate()
    server.closeAllConnections()
    server.close()
  })
  return { wire, peer }
}
