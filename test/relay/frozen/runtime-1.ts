import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/*
 * A runtime of the subprotocol `tocsin-agent.1`, as it was at its first release, with what it says as bytes. It is frozen, and uses
 * nothing of the runtime. If an agent no longer works with it, the agent is wrong, or needs another subprotocol.
 */

const challenge = '{"type":"challenge","nonce":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"}'
const welcome = '{"type":"welcome","name":"plant","version":"0.1.0"}'

/** "hello", which may be passed on until 123,456 of the agent's clock. */
const hello = Buffer.from('40fe24000000000068656c6c6f', 'hex')

/** How a stream went. */
interface FrozenStream {
  answer: string
  body: string
  over: string
}

interface FrozenRuntime {
  readonly url: string
  /** Resolves to what the agent says to sign in. */
  readonly signIn: Promise<unknown>
  /** Connects through the agent to a port of its machine, and sends "hello". */
  send(port: number): Promise<FrozenStream>
  close(): void
}

export async function openFrozenRuntime(): Promise<FrozenRuntime> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'tocsin-agent.1', perMessageDeflate: false })
  await new Promise((resolve) => server.once('listening', resolve))
  const said = Promise.withResolvers<unknown>()
  const opened = Promise.withResolvers<WebSocket>()
  let streams = 0
  server.on('connection', (socket) => {
    socket.on('error', () => {})
    socket.send(challenge)
    socket.once('message', (data) => {
      said.resolve(JSON.parse(String(data)))
      socket.send(welcome)
      opened.resolve(socket)
    })
  })
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    signIn: said.promise,
    async send(port) {
      const socket = await opened.promise
      streams += 1
      const id = streams
      const found: FrozenStream = { answer: '', body: '', over: '' }
      const say = (type: number, content: Buffer | string = ''): void =>
        socket.send(Buffer.concat([Buffer.from([type, 0, 0, 0, id]), Buffer.from(content as string)]))
      return new Promise((resolve) => {
        const over = (how: string): void => {
          found.over = how
          resolve(found)
        }
        socket.on('message', (message: Buffer) => {
          if (message.readUInt32BE(1) !== id) return
          const [type, content] = [message[0], message.subarray(5).toString()]
          if (type === 2 || type === 3) found.answer = `${type === 2 ? 'opened' : 'refused'} ${content}`
          if (type === 4) found.body += content
          if (type === 2) {
            say(5, hello)
            say(7)
          }
          if (type === 3) over('refused')
          if (type === 7) over('end')
          if (type === 8) over('reset')
        })
        say(1, `{"host":"127.0.0.1","port":${port}}`)
      })
    },
    close() {
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }
}
