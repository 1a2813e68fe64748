import type { Clock, Millis } from '../domain/index.ts'
import type { Topic } from './topic.ts'

/** The most names in one message. If more gather, the message says only that some were missed. */
const mostNames = 1_000
/** How long a process goes on listening after its last listener has left. Listeners that come and go then cost Redis nothing. */
const linger: Millis = 60_000

export interface NamesListener {
  /** Something has happened to the things with these names, in this or another process. */
  named(names: readonly string[]): void
  /** Something may have happened to anything. */
  missed(): void
}

/**
 * Tells the listeners of all processes of an installation that something has happened to a thing, at once. What is told while a message is
 * under way becomes one message. A hint may be lost, so listeners also look for themselves.
 */
export class NamedHints {
  readonly #topic: Topic | null
  readonly #clock: Pick<Clock, 'after'>
  readonly #listeners = new Set<NamesListener>()
  #gathered = new Set<string>()
  /** Whether more names were told than fit. */
  #more = false
  #sending = false
  #joined = false
  #cancelLeaving: () => void = () => {}

  /** @param topic null if there are no other processes */
  constructor(topic: Topic | null, clock: Pick<Clock, 'after'>) {
    this.#topic = topic
    this.#clock = clock
    topic?.listen({
      received: (text) => {
        const names = read(text)
        if (names === null) this.#allMissed()
        else for (const listener of [...this.#listeners]) listener.named(names)
      },
      missed: () => this.#allMissed(),
    })
  }

  /** Whether anybody hears what is told, in this or another process. */
  get heard(): boolean {
    return this.#listeners.size > 0 || this.#topic?.wanted === true
  }

  tell(name: string): void {
    for (const listener of [...this.#listeners]) listener.named([name])
    if (!this.#topic?.wanted) return
    if (this.#gathered.size < mostNames || this.#gathered.has(name)) this.#gathered.add(name)
    else this.#more = true
    void this.#send(this.#topic)
  }

  /** Adds a listener. It is told that it has missed something once the other processes know of it. Returns a function that removes it. */
  listen(listener: NamesListener): () => void {
    this.#listeners.add(listener)
    this.#cancelLeaving()
    if (!this.#joined) this.#join()
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return
      this.#cancelLeaving = this.#clock.after(linger, () => {
        this.#joined = false
        this.#topic?.leave()
      })
    }
  }

  close(): void {
    this.#cancelLeaving()
  }

  #join(): void {
    this.#joined = true
    void this.#topic?.join().then(() => this.#allMissed())
  }

  #allMissed(): void {
    for (const listener of [...this.#listeners]) listener.missed()
  }

  async #send(topic: Topic): Promise<void> {
    if (this.#sending) return
    this.#sending = true
    while (this.#gathered.size > 0) {
      const [names, more] = [[...this.#gathered], this.#more]
      this.#gathered = new Set()
      this.#more = false
      await (more ? topic.sendMissed() : topic.send(JSON.stringify(names)))
    }
    this.#sending = false
  }
}

/** Returns the names in a message. Null if this version of Tocsin does not understand it. */
function read(text: string): readonly string[] | null {
  try {
    const names: unknown = JSON.parse(text)
    return Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : null
  } catch {
    return null
  }
}
