import { Connection } from '../../redis/index.ts'
import type { Report } from '../report.ts'
import type { RedisNames } from './names.ts'

/** Receives wakes. */
export interface WakeListener {
  /** These queues have new jobs. */
  wake(names: readonly string[]): void
  /** A wake may have been missed. Check which queues have jobs. */
  look(): void
}

/**
 * The subscription to the channel on which enqueuers announce jobs. It connects with the first listener and
 * reconnects by itself.
 */
export class Wakes {
  readonly #url: string
  readonly #names: RedisNames
  readonly #report: Report
  readonly #listeners = new Set<WakeListener>()
  #connection: Connection | null = null

  constructor(url: string, names: RedisNames, report: Report) {
    this.#url = url
    this.#names = names
    this.#report = report
  }

  /**
   * Adds a listener. Tells it to look now, and again after each new subscription. Returns a function that
   * removes it.
   */
  add(listener: WakeListener): () => void {
    this.#listeners.add(listener)
    this.#connection ??= this.#connect()
    listener.look()
    return () => this.#listeners.delete(listener)
  }

  lookAll(): void {
    for (const listener of this.#listeners) listener.look()
  }

  close(): void {
    this.#connection?.close()
  }

  #connect(): Connection {
    const connection = new Connection(this.#url, this.#names.subscription, this.#report)
    const { client } = connection
    client.on('message', (_channel, names) => {
      for (const listener of this.#listeners) listener.wake(names.split(' '))
    })
    // Subscribes before looking. So a job that arrives in between is seen twice instead of missed.
    client.on('ready', () => {
      client.subscribe(this.#names.wakes).then(
        () => this.lookAll(),
        () => client.disconnect(true),
      )
    })
    // A failed first attempt is reported as a lost connection, and the client tries again.
    client.connect().catch(() => {})
    return connection
  }
}
