import type { Topic, TopicListener } from './topic.ts'

/** What a topic needs from the connections of its process. */
interface TopicConnections {
  /** Names this process. */
  readonly self: string
  /** Rejects if Redis does not answer. */
  subscribe(channel: string): Promise<unknown>
  /** Tells the other processes that this one is subscribed. Never rejects. */
  announce(channel: string): Promise<unknown>
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
  /** Whether Redis has confirmed that this process is subscribed. */
  #subscribed = false
  /** How often another process was heard of, or may have been missed. An answer of Redis may be older than that. */
  #news = 0
  wanted = false
  alone = false

  constructor(channel: string, redis: TopicConnections) {
    this.#channel = channel
    this.#redis = redis
  }

  listen(listener: TopicListener): void {
    this.#listener = listener
  }

  async join(): Promise<void> {
    this.#joined = true
    await this.#subscribe()
      .then(() => this.ask())
      .catch(() => {})
  }

  leave(): void {
    this.#joined = false
    this.lost()
    this.#redis.unsubscribe(this.#channel)
  }

  send(text: string): Promise<void> {
    return this.#publish(kinds.text, text)
  }

  sendMissed(): Promise<void> {
    return this.#publish(kinds.missed, '')
  }

  /** Call when the connection that listens is new. @throws the error of Redis */
  async resume(): Promise<void> {
    if (this.#joined) {
      await this.#subscribe()
      this.#listener?.missed()
    }
    await this.ask()
  }

  /** Call when the connection that listens is lost. Until `resume`, nothing tells this process of others. */
  lost(): void {
    this.#subscribed = false
    this.#mayHaveOthers()
  }

  /** Call when the connection that sends is new. Before it, nobody could be told that this process listens. Never rejects. */
  async introduce(): Promise<void> {
    if (this.#subscribed) await this.#redis.announce(this.#channel)
    await this.ask()
  }

  async ask(): Promise<void> {
    const before = this.#news
    const listening = await this.#redis.listening(this.#channel)
    this.#count(listening, before)
    if (listening !== null && this.#others(listening)) this.begin()
  }

  /** Begins to send. What happened here before was not sent. */
  begin(): void {
    this.#mayHaveOthers()
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

  async #subscribe(): Promise<void> {
    await this.#redis.subscribe(this.#channel)
    this.#subscribed = this.#joined
    await this.#redis.announce(this.#channel)
  }

  #mayHaveOthers(): void {
    this.#news += 1
    this.alone = false
  }

  /** @param before the news when Redis was asked */
  #count(listening: number | null, before: number): void {
    this.alone = this.#subscribed && listening !== null && !this.#others(listening) && before === this.#news
  }

  #others(listening: number): boolean {
    return listening > (this.#joined ? 1 : 0)
  }

  async #publish(kind: string, text: string): Promise<void> {
    const before = this.#news
    const listening = await this.#redis.publish(this.#channel, `${this.#redis.self} ${kind}${text}`)
    this.#count(listening, before)
    this.wanted = listening !== null && this.#others(listening)
  }
}
