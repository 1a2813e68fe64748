/**
 * Watches the files of a store while it is open. The caretaker acknowledges a commit only if the next process
 * would find it.
 */
export { Caretaker } from './caretaker.ts'
export { FileWatch } from './watch.ts'
