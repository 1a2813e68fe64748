import { connect } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { createWebSocketStream, type WebSocket, WebSocketServer } from 'ws'

/*
 * A runtime of the subprotocol `tocsin-agent.1`, as it was at its first release, with what it says as bytes. It is frozen, and uses
 * nothing of the runtime. If an agent no longer works with it, the agent is wrong, or needs another subprotocol.
 */

const challenge = '{"type":"challenge","nonce":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"}'
const welcome = '{"type":"welcome","name":"plant","version":"0.1.0"}'

/** "hello", which may be passed on until 123,456 of the agent's clock; then the last chunk. */
const hello = Buffer.from('0000000540fe24000000000068656c6c6f000000000000000000000000', 'hex')

interface FrozenRuntime {
  readonly url: string
  /** Resolves to what the agent says to sign in. */
  readonly signIn: Promise<unknown>
  /** Connects through the agent, and sends "hello". */
  send(authority: string): Promise<{ readonly head: object; readonly body: string; readonly trailers: object }>
  close(): void
}

export async function openFrozenRuntime(): Promise<FrozenRuntime> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'tocsin-agent.1', perMessageDeflate: false })
  await new Promise((resolve) => server.once('listening', resolve))
  const said = Promise.withResolvers<unknown>()
  const opened = Promise.withResolvers<WebSocket>()
  server.on('connection', (socket) => {
    socket.on('error', () => {})
    socket.send(challenge)
    socket.once('message', (data) => {
      said.resolve(JSON.parse(String(data)))
      socket.send(welcome)
      opened.resolve(socket)
    })
  })
  const session = opened.promise.then((socket) => connect('http://agent.invalid', { createConnection: () => createWebSocketStream(socket) }))
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    signIn: said.promise,
    async send(authority) {
      const stream = (await session).request({ ':method': 'CONNECT', ':authority': authority }, { endStream: false })
      stream.end(hello)
      return new Promise((resolve, reject) => {
        let [head, trailers, body]: [object, object, string] = [{}, {}, '']
        stream.on('response', (headers) => {
          head = headers
        })
        stream.on('trailers', (headers) => {
          trailers = headers
        })
        stream.on('data', (data) => {
          body += data
        })
        stream.on('error', reject)
        stream.on('end', () => resolve({ head, body, trailers }))
      })
    },
    close() {
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }
}
