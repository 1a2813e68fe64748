/**
 * Preloaded into the process under fire (`node --import`). Reports over the IPC channel how much
 * CPU time the longest turn of its event loop took. On a busy machine a turn takes more real time,
 * but hardly more CPU time. Counts only user time, with garbage collections. System time would
 * measure the machine: it is mostly the kernel clearing fresh pages, which takes eight times as
 * long on a virtual machine whose host has to find the memory first (measured: 25 ms or 200 ms for
 * 40 MiB). `longestGap` includes all of it.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** One reading of the process. */
export interface Reading {
  readonly pid: number
  /** User CPU time of the longest turn of the event loop since the last reading, in milliseconds. */
  readonly longestTurn: number
  /** The longest real time between two ticks since the last reading, in milliseconds. */
  readonly longestGap: number
  /** User CPU time of the main thread since the last reading, in milliseconds. */
  readonly cpu: number
  /**
   * Bytes in use on and beside the heap, after a garbage collection. Null if the reading did not
   * ask for one.
   */
  readonly memory: number | null
  /** Bytes of the whole process. */
  readonly rss: number
}

export interface Question {
  readonly probe: 'read'
  readonly collect: boolean
}

/** In milliseconds. At least one turn of the loop is between two ticks. A longer turn shows. */
const every = 5

function cpuNow(): number {
  return process.threadCpuUsage().user / 1000
}

function start(collectGarbage: () => void): void {
  let [cpu, clock] = [cpuNow(), performance.now()]
  let [longestTurn, longestGap, since] = [0, 0, cpu]
  const look = (): void => {
    const [nowCpu, nowClock] = [cpuNow(), performance.now()]
    longestTurn = Math.max(longestTurn, nowCpu - cpu)
    longestGap = Math.max(longestGap, nowClock - clock)
    cpu = nowCpu
    clock = nowClock
  }
  setInterval(look, every).unref()
  process.on('message', (message) => {
    const question = message as Partial<Question>
    if (question.probe !== 'read') return
    look()
    const reading = { pid: process.pid, longestTurn, longestGap, cpu: cpu - since, rss: process.memoryUsage.rss() }
    let memory: number | null = null
    if (question.collect) {
      collectGarbage()
      const { heapUsed, external } = process.memoryUsage()
      memory = heapUsed + external
    }
    process.send?.({ ...reading, memory } satisfies Reading)
    ;[cpu, clock] = [cpuNow(), performance.now()]
    ;[longestTurn, longestGap, since] = [0, 0, cpu]
  })
  process.channel?.unref()
  // The process that fires the bombs has ended.
  process.on('disconnect', () => process.exit())
}

// Child processes may be preloaded with this too, but have no one to report to.
if (process.send && process.argv[1]?.endsWith('tocsin.js')) {
  setFlagsFromString('--expose-gc')
  start(runInNewContext('gc') as () => void)
}
