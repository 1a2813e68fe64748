/** Rules about steps: those that no run reaches, what nothing uses, and scripts. */
export { reach } from './reach.ts'
export { scripts } from './scripts.ts'
export { unused } from './unused.ts'
