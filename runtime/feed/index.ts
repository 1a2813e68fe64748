/**
 * The feed: says that an object has changed, never how. `watch-store.ts` notices the writes, `feed.ts` collects them and remembers them for a
 * short while, and `topic-channel.ts` sends them to the other processes. While it has no reader, nothing is collected or sent (decision 52).
 */

export { changeKinds, feedObjects, isSeenBy, seesAny } from './change.ts'
export { Feed, type FeedPart, type FeedReader } from './feed.ts'
export { TopicChannel } from './topic-channel.ts'
export { watchStore } from './watch-store.ts'
