import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy between two processes. A test can cut it. It listens on loopback. */
export interface TcpProxy {
  readonly port: number
  /** How many connections have come since the start. */
  readonly accepted: number
  /** Resets every open connection, even in the middle of a message. Allows new connections. */
  sever(): void
  /** Like `sever`, and refuses new connections until `mend`. */
  cut(): void
  /** Until `mend`, forwards nothing in either direction and closes nothing, like a silent peer. */
  silence(): void
  /** Forwards requests. From the first request that contains the text until `mend`, forwards no answers. */
  withholdFrom(text: string): void
  mend(): void
  close(): Promise<void>
}

/** @param target returns the address of the other end; called for each connection */
export async function startTcpProxy(target: () => { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const sockets = new Map<Socket, 'near' | 'far'>()
  let state: 'whole' | 'cut' | 'silent' | 'withheld' = 'whole'
  let awaited: string | null = null
  let accepted = 0
  const still = (end: 'near' | 'far'): boolean => state === 'silent' || (state === 'withheld' && end === 'far')
  const become = (next: typeof state): void => {
    state = next
    for (const [socket, end] of sockets) {
      if (still(end)) socket.pause()
      else socket.resume()
    }
  }
  const sever = (): void => {
    for (const socket of sockets.keys()) socket.resetAndDestroy()
  }
  const server = createServer((near) => {
    accepted += 1
    if (state === 'cut') {
      near.on('error', () => undefined)
      near.resetAndDestroy()
      return
    }
    const far = connect(target())
    for (const [one, other, end] of [
      [near, far, 'near'],
      [far, near, 'far'],
    ] as const) {
      sockets.set(one, end)
      one.on('close', () => sockets.delete(one))
      one.on('data', (chunk) => {
        if (end === 'near' && awaited !== null && chunk.includes(awaited)) {
          awaited = null
          become('withheld')
        }
        if (!other.write(chunk)) one.pause()
      })
      other.on('drain', () => {
        if (!still(end)) one.resume()
      })
      if (still(end)) one.pause()
      one.on('end', () => other.end())
      // `close` follows an error. The other end must see a reset, not a normal end.
      one.on('error', () => other.resetAndDestroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    get accepted() {
      return accepted
    },
    sever,
    cut() {
      state = 'cut'
      sever()
    },
    silence: () => become('silent'),
    withholdFrom(text) {
      awaited = text
    },
    mend: () => become('whole'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        sever()
      }),
  }
}
