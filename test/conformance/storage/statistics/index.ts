export { statisticsCases } from './statistics.ts'
