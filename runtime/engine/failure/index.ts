/** What steps throw, and how a failure is put into words. */
export { GivenUp } from './signals.ts'
