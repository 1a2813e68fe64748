/** SQLite: the schema and its migrations, prepared statements, counters, and checks of the database file. */

export { checkedWhole, checkWhole, walkPages } from './check.ts'
export { takeNumbers } from './counters.ts'
export { fromFew, mostFew, type Narrowing, narrowest } from './few.ts'
export { eachOf, merged } from './merged.ts'
export { fitPageCache } from './page-cache.ts'
export { type Probe, probeTable } from './probe.ts'
export { migrate } from './schema.ts'
export { SegmentPages } from './segment-pages.ts'
export { beginning, heldByWhatIsOver, holdsAny, listParameter, ownerOf, type Row, Sql, scopeFilter, scopeParameter } from './sql.ts'
export type { Synchronous } from './synchronous.ts'
