/**
 * The composition root: opens the rooms of one process, connects them, and closes them again.
 * `assemble.ts` opens and connects; `start.ts` adds the API and the workers; `process.ts` runs a process until a signal stops it.
 * Each other file builds one part: the admin key, the playbook folders, the webhooks, the services of the API. `imported.ts` remembers what
 * the last start has imported.
 */
export { keptBesideTheStore } from './assemble.ts'
export { runProcess } from './process.ts'
