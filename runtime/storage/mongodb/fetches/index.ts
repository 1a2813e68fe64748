/** Fetches on MongoDB. */
export { fetchStore } from './fetches.ts'
