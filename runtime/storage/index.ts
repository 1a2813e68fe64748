/**
 * The store is the record of everything: alerts, runs, journals, cases. `port/` says what it must do, and two adapters do it:
 * `embedded/` (SQLite, one process) and `mongodb/` (many processes).
 *
 * Port, adapters and conformance cases have the same subjects: access, alerts, cases, connections, decisions, guards, journal, playbooks, runs
 * and webhooks. What a subject's folder exports is assembled in `<adapter>/assemble.ts`; its other files are for its neighbours.
 * The remaining folders of an adapter are its machinery: `database/` in both, `client/` in MongoDB; `files/`, `threads/` and `watch/` in the
 * embedded store; `recovery/` in both for what follows a loss of data.
 */
export { Fresh } from './fresh.ts'
export type * from './port/index.ts'
