/**
 * Large answers, row by row. `streams.ts` keeps the open streams of one call; `rows.ts` has their bytes parsed as CSV or JSON lines by a thread of
 * its own (`rows-thread.ts`), so that a large file does not hold up the process.
 */
export { openStream, Streams } from './streams.ts'
