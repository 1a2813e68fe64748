import { Worker } from 'node:worker_threads'
import { messageOf } from '../errors/index.ts'
import type { FromHelper, ToHelper } from './protocol.ts'

/** Ends the process when the one that it works for is gone. A thread, because the process itself may be in work that never pauses. */
const watch = `
const { ppid } = process
setInterval(() => { if (process.ppid !== ppid) process.kill(process.pid, 'SIGKILL') }, 1_000)
`

/** Makes this process a helper: it does what it is sent, one task after the other, and ends with the process that began it. */
export function serve(work: (body: unknown) => unknown): void {
  const say = (message: FromHelper): void => void process.send?.(message)
  new Worker(watch, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 } }).unref()
  process.on('message', (message: ToHelper) => {
    const { task, body } = message
    try {
      say({ kind: 'done', task, body: work(body) })
    } catch (error) {
      say({ kind: 'failed', task, message: error instanceof Error ? (error.stack ?? messageOf(error)) : String(error) })
    }
  })
  // A terminal and a service manager signal all processes of a group. Whoever it works for ends it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGUSR1'] as const) process.on(signal, () => {})
  const dieAlone = (): void => void process.kill(process.pid, 'SIGKILL')
  process.on('disconnect', dieAlone)
  process.on('error', dieAlone)
  say({ kind: 'ready' })
}
