/** Fetches in SQLite. */
export { fetchTable } from './fetches.ts'
