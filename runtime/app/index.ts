/**
 * The composition root: opens the rooms of one process, connects them, and closes them again.
 * `backends.ts` opens the store and the queue; `assemble.ts` opens the rest and connects; `start.ts` adds the API and the workers; `process.ts`
 * runs a process until a signal stops it, and loads most of them only while the store opens.
 * Each other file builds one part: the admin key, the playbook folders, the webhooks, the services of the API. `imported.ts` remembers what
 * the last start has imported.
 */
export { keptBesideTheStore } from './kept-files.ts'
export { runProcess } from './process.ts'
