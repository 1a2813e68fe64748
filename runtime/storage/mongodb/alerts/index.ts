/** Alerts: numbers and stores them, lists them, and finds those that wait for a run or repeat an earlier one. */
export { alertStore } from './alerts.ts'
export { LateWords } from './late-words.ts'
export { Sealing } from './sealing.ts'
