import { type KeyObject, sign } from 'node:crypto'
import { performServerHandshake } from 'node:http2'
import { connect } from 'node:net'
import { createWebSocketStream, WebSocket } from 'ws'

/*
 * An agent of the subprotocol `tocsin-agent.1`, as it was at its first release. It is frozen, and uses nothing of the runtime: customers
 * update their agents when they like. If the runtime no longer works with it, the runtime is wrong, or needs another subprotocol.
 */

/** A chunk that the runtime has sent. */
interface FrozenChunk {
  readonly until: number
  readonly text: string
}

/** Connects to a runtime, and carries connections to a port of this machine. Its clock stands at 5,000. @returns the chunks that arrive */
export async function connectFrozenAgent(url: string, key: KeyObject, publicKey: string, port: number): Promise<readonly FrozenChunk[]> {
  const chunks: FrozenChunk[] = []
  const socket = new WebSocket(url, ['tocsin-agent.1'], { perMessageDeflate: false })
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', function greeted(data: Buffer) {
      const message = JSON.parse(data.toString())
      if (message.type === 'challenge') {
        const signature = sign(null, Buffer.from(`tocsin-agent sign-in\n${message.nonce}`), key).toString('base64url')
        return socket.send(`{"type":"sign_in","version":"0.1.0","public_key":"${publicKey}","signature":"${signature}"}`)
      }
      socket.off('message', greeted)
      if (message.type !== 'welcome') return reject(new Error(message.code))
      const tunnel = createWebSocketStream(socket)
      tunnel.on('error', () => {})
      const session = performServerHandshake(tunnel)
      session.on('error', () => {})
      session.on('stream', (stream, headers) => {
        stream.on('error', () => {})
        if (headers[':method'] !== 'CONNECT' || headers[':authority'] !== `127.0.0.1:${port}`) {
          return stream.respond({ ':status': 403, 'tocsin-error': 'not_allowed' }, { endStream: true })
        }
        const system = connect(port, '127.0.0.1')
        stream.respond({ ':status': 200, 'tocsin-clock': '5000' }, { waitForTrailers: true })
        stream.on('wantTrailers', () => stream.sendTrailers({ 'tocsin-end': 'ok' }))
        system.pipe(stream)
        let waiting = Buffer.alloc(0)
        stream.on('data', (bytes: Buffer) => {
          waiting = Buffer.concat([waiting, bytes])
          while (waiting.length >= 12 && waiting.length >= 12 + waiting.readUInt32BE(0)) {
            const content = waiting.subarray(12, 12 + waiting.readUInt32BE(0))
            chunks.push({ until: waiting.readDoubleBE(4), text: content.toString() })
            if (content.length === 0) system.end()
            else system.write(content)
            waiting = waiting.subarray(12 + content.length)
          }
        })
      })
      resolve()
    })
  })
  return chunks
}
