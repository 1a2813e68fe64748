/** Figures about many alerts and runs. */
export { statisticsStore } from './statistics.ts'
