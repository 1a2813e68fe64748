/**
 * Large answers, row by row. `streams.ts` keeps the open streams of a call. `rows.ts` lets a
 * separate thread (`rows-thread.ts`) parse their bytes as CSV or JSON lines, so that a large file
 * does not block the process.
 */
export { openStream, Streams } from './streams.ts'
