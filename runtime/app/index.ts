/**
 * The composition root: it opens the rooms of one process, connects them, and closes them again.
 * `assemble.ts` opens and connects; `start.ts` adds the API and the workers; `process.ts` runs a process until a signal stops it.
 * The other files each build one part: the admin key, the playbook folders, the webhooks, what the API needs.
 */
export { keptBesideTheStore } from './assemble.ts'
export { runProcess } from './process.ts'
export { type RunningServer, runningServers } from './running-servers.ts'
