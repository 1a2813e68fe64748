/** The connection to MongoDB: opens it, translates its errors, and sends concurrent calls together in one bulk. */

export { type Assign, assigner, type Find, finder, type Insert, insertEach, inserter } from './bulk.ts'
export { inBulks, type Outcome } from './bulk-queue.ts'
export { type BulkLimits, BulkTurns } from './bulk-turns.ts'
export { connect } from './connect.ts'
export { isDuplicate, itemFaults, repeatedOnce, translate, translated } from './faults.ts'
