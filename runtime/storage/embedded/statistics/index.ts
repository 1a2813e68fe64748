/** Figures about many alerts and runs. */
export { statisticsTable } from './statistics.ts'
