/** What happens after part of the data was lost: numbers are raised, and runs that were under way are cancelled. */
export { pauseEverything, raiseNumbers, somethingIsUnderWay, stopEverything } from './after-loss.ts'
