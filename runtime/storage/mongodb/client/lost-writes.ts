import { createRequire } from 'node:module'

/** What we need of the driver's connection. Its types do not name it. */
interface DriverConnection {
  /** Why it was closed. */
  readonly error: Error | null
  once(event: 'close', listener: () => void): void
  off(event: 'close', listener: () => void): void
}

interface ConnectionClass {
  readonly prototype: { writeCommand: (this: DriverConnection, ...parameters: unknown[]) => Promise<void> }
}

let isMended = false

/**
 * Makes the driver hear that a connection was closed while a command waits to leave. After a write that the socket does not take at once, it
 * waits for `drain` or `error` only (mongodb 7.8). A socket that is closed without an error emits neither. So the call would never end.
 *
 * That happens to a command of any size. When the server ends a connection, Node destroys the socket at once, but emits `close` only after
 * `setImmediate`. Bulks begin there. A bulk that takes such a connection writes to a destroyed socket.
 */
export function endLostWrites(): void {
  if (isMended) return
  const { Connection } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js') as { Connection: ConnectionClass }
  const { writeCommand } = Connection.prototype
  Connection.prototype.writeCommand = async function (...parameters) {
    const { promise, reject } = Promise.withResolvers<never>()
    const closed = (): void => reject(this.error ?? new Error('The connection was closed.'))
    this.once('close', closed)
    try {
      await Promise.race([writeCommand.apply(this, parameters), promise])
    } finally {
      this.off('close', closed)
    }
  }
  isMended = true
}
