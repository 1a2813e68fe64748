import { setTimeout as sleep } from 'node:timers/promises'
import { flood } from '../table/drive.ts'
import type { Subject } from '../table/subject.ts'
import { peakMemory, processorTime, withChildren } from '../usage.ts'

export interface Measured {
  readonly runsPerSecond: number
  /** Processor time of Tocsin for a run. */
  readonly cpuMsPerRun: number
  readonly memoryMb: number
}

/** A process that uses less of one processor than this is idle. */
const idleShare = 0.05

/** Waits until the processes have nothing more to do: a start checks a large database in the background. */
export async function settled({ processes }: Subject): Promise<void> {
  const used = (): number => processes.reduce((sum, pid) => sum + processorTime(pid), 0)
  for (let before = used(), share = 1; share > idleShare; ) {
    await sleep(2_000)
    const now = used()
    share = (now - before) / 2_000
    before = now
  }
}

/** Measures runs while 64 connections post alerts. */
export async function measureRuns({ load, processes }: Subject, seconds: number): Promise<Measured> {
  // Many first requests at once would look as if somebody guessed keys.
  await load.call('GET', '/platformapi/alerts?limit=1')
  const content = (index: number): object => ({ item: `item-${index}`, act: index % 2 === 0 })
  await flood(load, 'bench_run', content, 1)
  const sumOf = (value: (pid: number) => number): number => processes.flatMap(withChildren).reduce((sum, pid) => sum + value(pid), 0)
  const before = sumOf(processorTime)
  const { count, all } = await flood(load, 'bench_run', content, seconds)
  return { runsPerSecond: count / all, cpuMsPerRun: (sumOf(processorTime) - before) / count, memoryMb: sumOf(peakMemory) }
}
