/** What steps throw, and the words for a failure. */
export { GivenUp } from './signals.ts'
