import type { Topic, TopicListener } from './topic.ts'

/** What a topic needs from the connections of its process. */
interface TopicConnections {
  /** Names this process. */
  readonly self: string
  /** Subscribes, and tells the other processes so. Rejects if Redis does not answer. */
  subscribe(channel: string): Promise<void>
  unsubscribe(channel: string): void
  /** Returns how many processes have got the message. Null: Redis does not answer. */
  publish(channel: string, text: string): Promise<number | null>
  /** Returns how many processes are subscribed. Null: Redis does not answer. */
  listening(channel: string): Promise<number | null>
}

/** Begins each message, after the sender. */
const kinds = { text: '+', missed: '!' } as const

/** A topic on a channel of Redis. */
export class RedisTopic implements Topic {
  readonly #channel: string
  readonly #redis: TopicConnections
  #listener: TopicListener | null = null
  #joined = false
  wanted = false

  constructor(channel: string, redis: TopicConnections) {
    this.#channel = channel
    this.#redis = redis
  }

  listen(listener: TopicListener): void {
    this.#listener = listener
  }

  async join(): Promise<void> {
    this.#joined = true
    await this.#redis.subscribe(this.#channel).catch(() => {})
  }

  leave(): void {
    this.#joined = false
    this.#redis.unsubscribe(this.#channel)
  }

  send(text: string): Promise<void> {
    return this.#publish(kinds.text, text)
  }

  sendMissed(): Promise<void> {
    return this.#publish(kinds.missed, '')
  }

  /** Call when the connection is new. @throws the error of Redis */
  async resume(): Promise<void> {
    if (this.#joined) {
      await this.#redis.subscribe(this.#channel)
      this.#listener?.missed()
    }
    await this.ask()
  }

  /** Asks Redis whether another process listens. */
  async ask(): Promise<void> {
    const listening = await this.#redis.listening(this.#channel)
    if (listening !== null && this.#others(listening)) this.begin()
  }

  /** Begins to send. What happened here before was not sent. */
  begin(): void {
    if (this.wanted) return
    this.wanted = true
    void this.sendMissed()
  }

  /** Call for each message of another process. */
  heard(message: string): void {
    if (!this.#joined) return
    if (message.startsWith(kinds.text)) this.#listener?.received(message.slice(kinds.text.length))
    else this.#listener?.missed()
  }

  #others(listening: number): boolean {
    return listening > (this.#joined ? 1 : 0)
  }

  async #publish(kind: string, text: string): Promise<void> {
    const listening = await this.#redis.publish(this.#channel, `${this.#redis.self} ${kind}${text}`)
    this.wanted = listening !== null && this.#others(listening)
  }
}
