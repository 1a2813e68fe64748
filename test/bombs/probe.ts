/**
 * Preloaded into the process under fire (`node --import`). Tells over the IPC channel how much CPU time the longest turn of its event loop
 * took. A busy machine makes turns longer by the clock, but hardly by their CPU time. Only the time of the process's own code counts, with
 * garbage collections. System time would measure the machine: it is mostly the kernel clearing fresh pages, which takes eight times as long
 * on a virtual machine whose host has to find the memory first (measured: 25 ms or 200 ms for 40 MiB). `longestGap` has all of it.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What the process says of itself. */
export interface Reading {
  readonly pid: number
  /** Milliseconds of user CPU of the longest turn of the event loop since the last reading. */
  readonly longestTurn: number
  /** Milliseconds by the clock between two looks, the longest since the last reading. */
  readonly longestGap: number
  /** Milliseconds of user CPU of the main thread since the last reading. */
  readonly cpu: number
  /** Bytes that are in use on the heap and beside it, after a collection. Of a reading that asked for one. */
  readonly memory: number | null
  /** Bytes of the process. */
  readonly rss: number
}

export interface Question {
  readonly probe: 'read'
  readonly collect: boolean
}

/** Milliseconds. Between two looks lies one turn of the loop at least; a turn that takes longer than this stands out. */
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
  // Whoever fires has ended.
  process.on('disconnect', () => process.exit())
}

// Children of the process may be preloaded with it too: they have nobody to tell.
if (process.send && process.argv[1]?.endsWith('main.ts')) {
  setFlagsFromString('--expose-gc')
  start(runInNewContext('gc') as () => void)
}
