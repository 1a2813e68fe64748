import type { Topic } from '../hints/index.ts'
import type { Change } from './change.ts'
import type { ChannelListener, FeedChannel } from './channel.ts'
import { readMessage, writeMessage } from './message.ts'

/** A channel over the hints between processes. */
export class TopicChannel implements FeedChannel {
  readonly #topic: Topic

  constructor(topic: Topic) {
    this.#topic = topic
  }

  get wanted(): boolean {
    return this.#topic.wanted
  }

  listen(listener: ChannelListener): void {
    this.#topic.listen({
      received(text) {
        const changes = readMessage(text)
        if (changes) listener.received(changes)
        else listener.missed()
      },
      missed: () => listener.missed(),
    })
  }

  join(): Promise<void> {
    return this.#topic.join()
  }

  leave(): void {
    this.#topic.leave()
  }

  send(changes: readonly Change[], missed: boolean): void {
    void (missed ? this.#topic.sendMissed() : this.#topic.send(writeMessage(changes)))
  }
}
