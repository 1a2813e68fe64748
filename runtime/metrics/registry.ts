import type { Counter, Histogram, Registry } from 'prom-client'
import { promClient } from '../packages/index.ts'
import { type Definition, longTimes, ofProcess, shortTimes } from './definitions.ts'

/** The counters and histograms of a process, and the registry that renders them. */
export interface Registered {
  readonly registry: Registry
  readonly accepted: Counter
  readonly repeated: Counter
  readonly waited: Histogram
  readonly ended: Counter
  readonly lasted: Histogram
  readonly called: Counter
  readonly callLasted: Histogram
  readonly delivered: Counter
  readonly fetched: Counter
  readonly answered: Histogram
}

/** Registers the metrics of a process. This loads `prom-client`. */
export function register(): Registered {
  const client = promClient()
  const registry = new client.Registry()
  const options = ({ name, help, labels }: Definition) => ({ name, help, labelNames: labels, registers: [registry] })
  const counter = (definition: Definition): Counter => new client.Counter(options(definition))
  const histogram = (definition: Definition, buckets: readonly number[]): Histogram =>
    new client.Histogram({ ...options(definition), buckets: [...buckets] })
  const made = {
    registry,
    accepted: counter(ofProcess.accepted),
    repeated: counter(ofProcess.repeated),
    waited: histogram(ofProcess.waited, longTimes),
    ended: counter(ofProcess.ended),
    lasted: histogram(ofProcess.lasted, longTimes),
    called: counter(ofProcess.called),
    callLasted: histogram(ofProcess.callLasted, shortTimes),
    delivered: counter(ofProcess.delivered),
    fetched: counter(ofProcess.fetched),
    answered: histogram(ofProcess.answered, shortTimes),
  }
  beginAtZero(made)
  return made
}

/**
 * Shows what can be counted before it has happened. Prometheus sees a growth only between two values, so a series that begins with its
 * first event hides that event.
 */
function beginAtZero({ ended, lasted, delivered, fetched }: Registered): void {
  for (const kind of ['investigation', 'undo'])
    for (const state of ['completed', 'failed']) {
      lasted.zero({ kind, state })
      for (const code of state === 'failed' ? ['run_cancelled'] : ['']) ended.inc({ kind, state, code }, 0)
    }
  for (const outcome of ['delivered', 'again', 'dead']) delivered.inc({ outcome }, 0)
  for (const outcome of ['ok', 'failed']) fetched.inc({ outcome }, 0)
}
