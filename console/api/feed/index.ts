/** The feed: the page reads again what the server says has changed. */
export type { FeedStatus } from './connection.ts'
export { isLive, useFeed, useFeedStatus } from './live.ts'
