import { Redis } from 'ioredis'
import type { Millis } from '../domain/index.ts'
import { isTocsinError, messageOf, TocsinError } from '../errors/index.ts'
import { hostPort } from '../formats/index.ts'

/** A command without an answer has failed after this time. */
const commandTimeout: Millis = 3_000
const timedOut = 'Command timed out'

/**
 * One connection to Redis. It reconnects by itself. Until then, commands fail at once, because no caller may
 * have to wait for Redis.
 */
export class Connection {
  readonly client: Redis
  readonly #address: string
  #lastError: unknown = null
  /** Whether the current loss of the connection was reported. */
  #told = false
  /** Whether the connection is being replaced. */
  #leaving = false
  #closing = false

  /**
   * @param name of the connection in CLIENT LIST
   * @param report called once for each loss of the connection
   * @param patient whether its commands may take any time, because they wait in Redis for something
   */
  constructor(url: string, name: string, report: (error: unknown) => void, patient = false) {
    this.client = new Redis(url, {
      lazyConnect: true,
      connectionName: name,
      connectTimeout: commandTimeout,
      ...(!patient && { commandTimeout }),
      // Detects a peer that vanished after about twenty seconds, even on a connection that only listens.
      keepAlive: 10_000,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      autoResubscribe: false,
      retryStrategy: (times) => Math.min(50 * times, 1_000),
    })
    // Only these parts of the URL may be shown: the rest may contain a password.
    const { host, port, path } = this.client.options
    this.#address = path ?? hostPort(host ?? 'localhost', port ?? 6379)
    this.client.on('ready', () => {
      this.#told = false
    })
    this.client.on('error', (error) => {
      this.#lastError = error
    })
    this.client.on('close', () => {
      this.#leaving = false
      if (!this.#told && !this.#closing) report(this.unavailable(this.#lastError ?? 'the connection was closed'))
      this.#told = true
    })
  }

  /**
   * Makes the first attempt to connect. The client makes later attempts by itself.
   * @returns whether there is a connection; if not, this is reported
   * @throws TocsinError `queue_unavailable` if Redis answers and refuses, because later attempts would fail
   * too
   */
  async open(): Promise<boolean> {
    try {
      await this.client.connect()
      // The client goes on in database 0 if Redis refuses the one of the URL.
      if (!(isRefusal(this.#lastError) && /DB index/i.test(messageOf(this.#lastError)))) return true
      throw this.#lastError
    } catch (error) {
      const cause = this.#lastError ?? error
      if (!isRefusal(cause)) return false
      this.close()
      throw this.unavailable(cause)
    }
  }

  /**
   * Calls `work` with the client. If a command times out, the connection is replaced, because its state is
   * unknown.
   * @throws TocsinError `queue_unavailable` for every failure
   */
  async use<T>(work: (client: Redis) => Promise<T>): Promise<T> {
    try {
      return await work(this.client)
    } catch (error) {
      if (messageOf(error) === timedOut && this.client.status === 'ready' && !this.#leaving) {
        // Many commands may time out at once. Each call of this adds a listener to the same socket.
        this.#leaving = true
        this.client.disconnect(true)
      }
      throw this.unavailable(error)
    }
  }

  unavailable(error: unknown): TocsinError {
    if (isTocsinError(error)) return error
    return new TocsinError('queue_unavailable', `Redis at ${this.#address}: ${messageOf(error)}`, [], { cause: error })
  }

  /** Closes the connection at once. Commands without an answer fail. */
  close(): void {
    this.#closing = true
    this.client.disconnect()
  }
}

/**
 * Returns whether the error is an answer of Redis, such as a wrong password. `LOADING` is no refusal: Redis
 * is starting and will be ready soon.
 */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && !error.message.startsWith('LOADING')
}
