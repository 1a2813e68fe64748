/**
 * The database as a whole: its collections and indexes, its migrations and their lock, and its identity,
 * which shows if it was replaced. Also what most queries need: scope, pages, counters.
 */
export { type Collections, collectionsOf } from './collections.ts'
export { counterFloor, type TakeNumbers, takeNumbers, takeNumbersTogether } from './counters.ts'
export { Guard, type MongoNotice } from './guard.ts'
export { forgetIdentity, noteIdentity, type Settled, settleIdentity } from './identity.ts'
export { fewStates, migrate, openStatuses } from './indexes.ts'
export { following, pageOf, readPage } from './page.ts'
export { within, withinOrShared } from './scope.ts'
export { sortedInMemory } from './sorted.ts'
export { WorkReport } from './work-report.ts'
