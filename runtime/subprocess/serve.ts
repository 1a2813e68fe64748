import { Worker } from 'node:worker_threads'
import { messageOf } from '../errors/index.ts'
import type { FromHelper, ToHelper } from './protocol.ts'

/**
 * Ends the process when its parent is gone. Runs in a thread, because the process itself may be busy with
 * work that never pauses.
 */
const watch = `
const { ppid } = process
setInterval(() => { if (process.ppid !== ppid) process.kill(process.pid, 'SIGKILL') }, 1_000)
`

/** Makes this process a helper. It does the tasks that it is sent, one after the other, and ends when its parent ends. */
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
  // A terminal and a service manager send signals to all processes of a group. Ignore them: the parent ends this process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGUSR1'] as const) process.on(signal, () => {})
  const dieAlone = (): void => void process.kill(process.pid, 'SIGKILL')
  process.on('disconnect', dieAlone)
  process.on('error', dieAlone)
  say({ kind: 'ready' })
}
