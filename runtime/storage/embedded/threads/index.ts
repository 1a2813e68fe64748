/** The two threads that run SQL, one that writes and one that reads, and the channels to them. */
export type { Channel } from './channel.ts'
export { type EmbeddedOptions, type OpenFile, openFile } from './open-file.ts'
export { numbersAfterCopy, openOwned } from './writer.ts'
