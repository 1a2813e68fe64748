/**
 * The feed: says that an object has changed, never how. `watch-store.ts` notices the writes, `feed.ts` collects them and remembers them for a
 * short while, and `redis-channel.ts` sends them to the other processes. While it has no reader, nothing is collected or sent (decision 52).
 */
import type { FeedChannel } from './channel.ts'
import type { RedisFeedOptions } from './redis-channel.ts'

export { changeKinds, feedObjects, isSeenBy, seesAny } from './change.ts'
export type { FeedChannel } from './channel.ts'
export { Feed, type FeedPart, type FeedReader } from './feed.ts'
export { watchStore } from './watch-store.ts'

/** Opens the channel between processes on Redis. Loads Redis only when it is needed. */
export async function openRedisFeedChannel(options: RedisFeedOptions): Promise<FeedChannel> {
  const { openRedisFeedChannel: open } = await import('./redis-channel.ts')
  return open(options)
}
