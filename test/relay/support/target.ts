import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** A TCP server that stands for an external system. */
export class Target {
  readonly sockets: Socket[] = []
  /** All bytes that have arrived, as Latin-1 text. */
  heard = ''
  readonly #server: Server

  /** @param serve what it does with a connection. By default, it sends back what it gets */
  constructor(serve: (socket: Socket) => void = (socket) => socket.pipe(socket)) {
    this.#server = createServer((socket) => {
      this.sockets.push(socket)
      socket.on('error', () => {})
      socket.on('data', (data) => {
        this.heard += data.toString('latin1')
      })
      serve(socket)
    })
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** The entry of an allow-list for it. */
  get entry(): string {
    return `127.0.0.1:${this.port}`
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
