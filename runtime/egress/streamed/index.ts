/** Answers that are read as they arrive. */
export { StreamExchange } from './stream.ts'
