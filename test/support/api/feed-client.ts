import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'

/** One event of the feed. */
export interface FeedEvent {
  readonly id: string | null
  readonly event: string
  readonly data: { readonly changes?: readonly { readonly object: string; readonly id: string | null; readonly change: string }[] }
}

/** A client of the feed: reads server-sent events as browsers do (HTML standard, 9.2.6). */
export class FeedClient {
  readonly response: IncomingMessage
  readonly events: FeedEvent[] = []
  /** Everything that has arrived, as it came. */
  raw = ''
  /** The id that a browser would send after a cut. */
  lastId: string | null = null
  ended = false
  #rest = ''
  #arrived = Promise.withResolvers<void>()

  private constructor(response: IncomingMessage) {
    this.response = response
    response.setEncoding('utf8')
    response.on('data', (text: string) => this.#read(text))
    response.on('error', () => {})
    response.on('close', () => {
      this.ended = true
      this.#tell()
    })
  }

  /** Opens a stream. @throws Error with the status and the body if the answer is none */
  static async open(url: string, key: string, { after = null, query = '' }: { after?: string | null; query?: string } = {}): Promise<FeedClient> {
    const headers = { cookie: `Session=${key}`, ...(after !== null && { 'last-event-id': after }) }
    const request = get(`${url}/platformapi/feed${query}`, { headers, agent: false })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    if (response.statusCode === 200) return new FeedClient(response)
    let body = ''
    for await (const part of response.setEncoding('utf8')) body += String(part)
    throw new Error(`${response.statusCode} ${body}`)
  }

  /** Resolves to the first event that is like this, now or later. */
  async find(like: (event: FeedEvent) => boolean): Promise<FeedEvent> {
    return this.#until(() => this.events.find(like))
  }

  /** Resolves when the object was named. */
  async named(object: string, id: string | null): Promise<void> {
    await this.find(({ data }) => data.changes?.some((each) => each.object === object && each.id === id) ?? false)
  }

  /** Resolves to the first truthy value that `look` returns, now or after more has arrived. */
  async until<T>(look: () => T | undefined | false): Promise<T> {
    return this.#until(look)
  }

  /** Returns every named object as `object id change`. */
  get all(): readonly string[] {
    return this.events.flatMap(({ data }) => (data.changes ?? []).map(({ object, id, change }) => `${object} ${id} ${change}`))
  }

  close(): void {
    this.response.destroy()
  }

  async #until<T>(look: () => T | undefined | false): Promise<T> {
    for (;;) {
      const found = look()
      if (found) return found
      if (this.ended) throw new Error(`the stream ended; it had: ${JSON.stringify(this.events)}`)
      await this.#arrived.promise
    }
  }

  #tell(): void {
    this.#arrived.resolve()
    this.#arrived = Promise.withResolvers()
  }

  #read(text: string): void {
    this.raw += text
    const blocks = `${this.#rest}${text}`.split('\n\n')
    this.#rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()]))
      const id = fields.get('id') ?? null
      if (id !== null) this.lastId = id
      const data = fields.get('data')
      if (data !== undefined) this.events.push({ id, event: fields.get('event') ?? 'message', data: JSON.parse(data) as FeedEvent['data'] })
    }
    this.#tell()
  }
}
