import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * A proxy that can go silent, like a firewall that has forgotten a connection: nothing is closed, and nothing
 * gets through. It can also be slow.
 */
export class SilentProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #target: URL

  static async open(target: string): Promise<SilentProxy> {
    const proxy = new SilentProxy(new URL(target))
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  private constructor(target: URL) {
    this.#target = target
    this.#server = createServer((near) => {
      const far = connect(Number(this.#target.port), this.#target.hostname)
      for (const socket of [near, far]) {
        this.#sockets.add(socket)
        socket.on('error', () => {})
      }
      near.pipe(far)
      far.pipe(near)
    })
  }

  get url(): string {
    const address = this.#server.address()
    return `redis://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  }

  /** Silences the current connections. New ones work. */
  silence(): void {
    for (const socket of this.#sockets) {
      socket.unpipe()
      socket.pause()
    }
  }

  /** Keeps what the current connections send, until the returned function is called. */
  hold(): () => void {
    const held = [...this.#sockets]
    for (const socket of held) socket.pause()
    return () => {
      for (const socket of held) socket.resume()
    }
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}
