/** What happens after part of the data was lost: raises numbers, cancels unfinished runs, pauses everything, and builds the index of words again. */
export { pauseEverything, raiseNumbers, somethingIsUnderWay, stopEverything } from './after-loss.ts'
export { rebuildWords } from './rebuild-words.ts'
