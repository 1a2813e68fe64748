import { isLive } from './feed/index.ts'

/** How often data that may change is refreshed while there is no feed, in milliseconds. With it, rarely: the feed says what changed. */
const withoutFeed = 5_000
const withFeed = 120_000
/** How often data is refreshed that takes the server longer to answer, in milliseconds. */
export const slowRhythm = 30_000

/** How often data that may change is refreshed, in milliseconds. For `refetchInterval`. */
export function rhythm(): number {
  return isLive() ? withFeed : withoutFeed
}
