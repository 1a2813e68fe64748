/**
 * The files of a store: their names, their owner, what a process finds when it opens them, the mark that
 * shows a loss, and rescued copies.
 */
export { type FileState, isSameFile, isUntouched, lastingIdentity, stateAt, stateHeld } from './file-state.ts'
export { faultOf, isBusy, isDamage, readStore } from './found-store.ts'
export { holdersOf } from './holders.ts'
export { type Inspected, inspect, problemIn, refuseUnfinished, setAside } from './inspect.ts'
export { MarkFile, readMark } from './mark.ts'
export { filesOf, type StoreFiles } from './names.ts'
export type { Notice } from './notice.ts'
export { type Ownership, takeOwnership } from './owner.ts'
export { ProgressCounter, raiseNumbers, readProgress, setCommits } from './progress.ts'
export { type Companion, dropRescue, type Rescued, rescue, settle } from './rescue.ts'
