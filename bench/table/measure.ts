import type { Load } from '../load.ts'
import { peakMemory, processorTime, withChildren } from '../usage.ts'
import { flood, timed } from './drive.ts'
import type { Subject } from './subject.ts'

/** The lines of the table. */
export const lines = {
  runs_per_second: { title: 'whole runs a second', digits: 0 },
  cpu_ms_per_run: { title: 'processor time of its own processes for a run, ms', digits: 2 },
  alert_to_end_ms: { title: 'one alert at a time, POST to the end, median, ms', digits: 1 },
  empty_step_ms: { title: 'a step that calls nothing, median, ms', digits: 3 },
  read_step_ms: { title: 'a step that reads, its HTTPS call included, median, ms', digits: 2 },
  acks_per_second: { title: 'acknowledged alerts a second while runs go on', digits: 0 },
  memory_mb: { title: 'most memory of its own processes, MB', digits: 0 },
} as const

export type Line = keyof typeof lines
export type Measured = Readonly<Record<Line, number>>

/** How much to measure. */
export interface Amount {
  /** How long alerts arrive as fast as they can. */
  readonly seconds: number
  /** Alerts that are posted one at a time. */
  readonly alerts: number
}

/** One long run is timed for so many alerts that are posted one at a time. */
const alertsPerLongRun = 20
const fewestLongRuns = 5
/** Steps of a long run: fewer than 1,000, the default of `limits.steps`. */
const steps = { empty: 800, read: 100 }

/** Returns the median cost of one more step in a long run, in milliseconds: without the start and the end of the run. */
async function stepOf(load: Load, type: string, count: number, runs: number): Promise<number> {
  const run = (items: number): Promise<number> => timed(load, type, runs, () => ({ items: Array.from({ length: items }, (_, index) => index) }))
  const short = await run(1)
  return ((await run(count)) - short) / (count - 1)
}

/** Measures all lines, after a second of the same load. */
export async function measure(subject: Subject, { seconds, alerts }: Amount): Promise<Measured> {
  const { load } = subject
  const sumOf = (value: (pid: number) => number): number => subject.processes.flatMap(withChildren).reduce((sum, pid) => sum + value(pid), 0)
  const content = (index: number): object => ({ item: `item-${index}`, act: index % 2 === 0 })
  const longRuns = Math.max(fewestLongRuns, Math.round(alerts / alertsPerLongRun))
  await flood(load, 'bench_run', content, 1)
  const before = sumOf(processorTime)
  const { count, acknowledged, all } = await flood(load, 'bench_run', content, seconds)
  const cpu = (sumOf(processorTime) - before) / count
  return {
    runs_per_second: count / all,
    cpu_ms_per_run: cpu,
    alert_to_end_ms: await timed(load, 'bench_run', alerts, content),
    empty_step_ms: await stepOf(load, 'bench_steps', steps.empty, longRuns),
    read_step_ms: await stepOf(load, 'bench_reads', steps.read, longRuns),
    acks_per_second: count / acknowledged,
    memory_mb: sumOf(peakMemory),
  }
}
