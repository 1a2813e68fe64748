import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A wire between two processes that a test can cut. Listens on loopback. */
export interface TcpProxy {
  readonly port: number
  /** Resets every connection that stands, in the middle of whatever is on it; new ones may be made. */
  sever(): void
  /** As `sever`, and lets no new connection through until `mend`. */
  cut(): void
  /** Passes nothing on in either direction, and closes nothing, until `mend`: a peer that is silent. */
  silence(): void
  /** Passes on what is asked and, from the first question on that holds the text, nothing of what is answered, until `mend`. */
  withholdFrom(text: string): void
  mend(): void
  close(): Promise<void>
}

/** @param target where the other end listens, asked anew for each connection */
export async function startTcpProxy(target: () => { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const sockets = new Map<Socket, 'near' | 'far'>()
  let state: 'whole' | 'cut' | 'silent' | 'withheld' = 'whole'
  let awaited: string | null = null
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
      // An error is followed by its close, which the other end must hear of as a loss, not as an end.
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
