import { type KeyObject, sign } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { WebSocket } from 'ws'

/*
 * An agent of the subprotocol `tocsin-agent.1`, as it was at its first release. It is frozen, and uses nothing of the runtime: customers
 * update their agents when they like. If the runtime no longer works with it, the runtime is wrong, or needs another subprotocol.
 */

/** A data frame that the runtime has sent, or the end of a stream: an empty one. */
interface FrozenChunk {
  readonly until: number | null
  readonly text: string
}

/** Connects to a runtime, and carries connections to a port of this machine. Its clock stands at 5,000. @returns the chunks that arrive */
export async function connectFrozenAgent(url: string, key: KeyObject, publicKey: string, port: number): Promise<readonly FrozenChunk[]> {
  const chunks: FrozenChunk[] = []
  const systems = new Map<number, Socket>()
  const socket = new WebSocket(url, ['tocsin-agent.1'], { perMessageDeflate: false })
  const say = (type: number, stream: number, content: Buffer | string = ''): void => {
    const head = Buffer.from([type, 0, 0, 0, 0])
    head.writeUInt32BE(stream, 1)
    socket.send(Buffer.concat([head, Buffer.from(content as string)]))
  }
  const open = (stream: number, wish: { readonly host: string; readonly port: number }): void => {
    if (wish.host !== '127.0.0.1' || wish.port !== port) return say(3, stream, '{"code":"not_allowed"}')
    const system = connect(port, '127.0.0.1')
    systems.set(stream, system)
    say(2, stream, '{"clock":5000}')
    system.on('data', (bytes: Buffer) => say(4, stream, bytes))
    system.on('end', () => say(7, stream))
  }
  const frame = (message: Buffer): void => {
    const [type, stream, content] = [message[0], message.readUInt32BE(1), message.subarray(5)]
    if (type === 1) open(stream, JSON.parse(content.toString()))
    if (type === 9) say(10, 0)
    if (type !== 4 && type !== 5 && type !== 7) return
    const bytes = type === 5 ? content.subarray(8) : content
    chunks.push({ until: type === 5 ? content.readDoubleBE(0) : null, text: bytes.toString() })
    if (type === 7) return void systems.get(stream)?.end()
    systems.get(stream)?.write(bytes)
    const credit = Buffer.alloc(4)
    credit.writeUInt32BE(bytes.length)
    say(6, stream, credit)
  }
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) return frame(data)
      const message = JSON.parse(data.toString())
      if (message.type === 'welcome') return resolve()
      if (message.type !== 'challenge') return reject(new Error(message.code))
      const signature = sign(null, Buffer.from(`tocsin-agent sign-in\n${message.nonce}`), key).toString('base64url')
      socket.send(`{"type":"sign_in","version":"0.1.0","public_key":"${publicKey}","signature":"${signature}"}`)
    })
  })
  return chunks
}
