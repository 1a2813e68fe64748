/** What happens after part of the data was lost: raises numbers, cancels unfinished runs, and pauses everything. */
export { pauseEverything, raiseNumbers, somethingIsUnderWay, stopEverything } from './after-loss.ts'
