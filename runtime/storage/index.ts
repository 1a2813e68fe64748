/**
 * The store is the record of everything: alerts, runs, journals, cases. `port/` says what it must do. Two
 * adapters implement it: `embedded/` (SQLite, one process) and `mongodb/` (many processes).
 *
 * The port, the adapters and the conformance cases have the same subjects: access, alerts, cases,
 * connections, decisions, guards, journal, playbooks, runs, statistics and webhooks. `<adapter>/assemble.ts` assembles
 * what these folders export. The other folders of an adapter are its machinery: `database/` in both;
 * `client/` in MongoDB; `files/`, `threads/` and `watch/` in the embedded store; `recovery/` in both, for
 * what follows a loss of data.
 */

export type * from './port/index.ts'
