/** The connection to MongoDB: opening it, turning its errors into ours, and sending what waits at the same time in one bulk. */

export { type Assign, assigner, type Find, finder, type Insert, insertEach, inserter } from './bulk.ts'
export { inBulks, type Outcome } from './bulk-queue.ts'
export { connect } from './connect.ts'
export { isDuplicate, itemFaults, repeatedOnce, translate, translated } from './faults.ts'
