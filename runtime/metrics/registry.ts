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
  return {
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
}
