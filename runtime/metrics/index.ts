/** What Prometheus can read: counters and times of a process, and what waits in the installation. Only this room imports `prom-client`. */
export { aboutProcess, type Definition, ofInstallation, ofProcess } from './definitions.ts'
export { Metrics } from './metrics.ts'
