import { Redis } from 'ioredis'
import type { Millis } from '../domain/index.ts'
import { isTocsinError, messageOf, TocsinError } from '../errors/index.ts'

/** A command that was not answered for this long has failed. */
const commandTimeout: Millis = 3_000
const timedOut = 'Command timed out'

/**
 * One connection to Redis. It comes back by itself, and what is asked of it meanwhile fails at once: nothing
 * that is asked of Redis may be waited for.
 */
export class Connection {
  readonly client: Redis
  readonly #address: string
  #lastError: unknown = null
  /** Whether somebody knows that there is no connection now. */
  #told = false
  #closing = false

  /**
   * @param name what Redis calls the connection in CLIENT LIST
   * @param report hears once of each loss of the connection
   */
  constructor(url: string, name: string, report: (error: unknown) => void) {
    this.client = new Redis(url, {
      lazyConnect: true,
      connectionName: name,
      connectTimeout: commandTimeout,
      commandTimeout,
      // A peer that vanished without a word is noticed in about twenty seconds, also on a connection that only listens.
      keepAlive: 10_000,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      autoResubscribe: false,
      retryStrategy: (times) => Math.min(50 * times, 1_000),
    })
    // Of what the URL holds only this is said: it may have a password.
    const { host, port, path } = this.client.options
    this.#address = path ?? `${host}:${port}`
    this.client.on('ready', () => {
      this.#told = false
    })
    this.client.on('error', (error) => {
      this.#lastError = error
    })
    this.client.on('close', () => {
      if (!this.#told && !this.#closing) report(this.unavailable(this.#lastError ?? 'the connection was closed'))
      this.#told = true
    })
  }

  /**
   * Makes the first attempt to connect; others follow by themselves.
   * @returns whether there is a connection; that there is none is reported
   * @throws TocsinError `queue_unavailable` when Redis is there and refuses: others would fail, too
   */
  async open(): Promise<boolean> {
    try {
      await this.client.connect()
      return true
    } catch (error) {
      const cause = this.#lastError ?? error
      if (!isRefusal(cause)) return false
      this.close()
      throw this.unavailable(cause)
    }
  }

  /**
   * Does something with the client. A connection on which a command timed out is replaced: nobody knows what of it still works.
   * @throws TocsinError `queue_unavailable` for every failure
   */
  async use<T>(work: (client: Redis) => Promise<T>): Promise<T> {
    try {
      return await work(this.client)
    } catch (error) {
      if (messageOf(error) === timedOut && this.client.status === 'ready') this.client.disconnect(true)
      throw this.unavailable(error)
    }
  }

  unavailable(error: unknown): TocsinError {
    if (isTocsinError(error)) return error
    return new TocsinError('queue_unavailable', `Redis at ${this.#address}: ${messageOf(error)}`, [], { cause: error })
  }

  /** At once; what is on its way fails. */
  close(): void {
    this.#closing = true
    this.client.disconnect()
  }
}

/** Whether it is an answer of Redis: a wrong password, for one. While it starts, it says that it loads, and will be there soon. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && !error.message.startsWith('LOADING')
}
