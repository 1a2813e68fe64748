/**
 * Fetches alerts from external systems that cannot send them. `fetcher.ts` finds what is due, `attempt.ts` makes one attempt, and
 * `submit.ts` makes alerts of the items. `fetches.ts` is for people, who create fetches and try them first.
 */
export { Fetcher } from './fetcher.ts'
export { Fetches } from './fetches.ts'
export { Submitter } from './submit.ts'
export type * from './types.ts'
