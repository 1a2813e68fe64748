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

/** Asks the parent something, and returns what it answers. @throws Error if the parent cannot answer */
export type Ask = (body: unknown) => Promise<unknown>

/**
 * Makes this process a helper. It does its tasks one after the other, and ends when its parent ends.
 * @param work does one task; it may ask the parent questions
 */
export function serve(work: (body: unknown, ask: Ask) => unknown): void {
  const say = (message: FromHelper): void => void process.send?.(message)
  const open = new Map<number, PromiseWithResolvers<unknown>>()
  let questions = 0
  const perform = async (task: number, body: unknown): Promise<void> => {
    const ask: Ask = (about) => {
      const answer = Promise.withResolvers<unknown>()
      questions += 1
      open.set(questions, answer)
      say({ kind: 'question', task, question: questions, body: about })
      return answer.promise
    }
    try {
      say({ kind: 'done', task, body: await work(body, ask) })
    } catch (error) {
      say({ kind: 'failed', task, message: error instanceof Error ? (error.stack ?? messageOf(error)) : String(error) })
    }
  }
  new Worker(watch, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 } }).unref()
  process.on('message', (message: ToHelper) => {
    if (message.kind === 'task') return void perform(message.task, message.body)
    const asked = open.get(message.question)
    open.delete(message.question)
    if (message.kind === 'answer') asked?.resolve(message.body)
    else asked?.reject(new Error(message.message))
  })
  // A terminal and a service manager send signals to all processes of a group. Ignore them: the parent ends this process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGUSR1'] as const) process.on(signal, () => {})
  const dieAlone = (): void => void process.kill(process.pid, 'SIGKILL')
  process.on('disconnect', dieAlone)
  process.on('error', dieAlone)
  say({ kind: 'ready' })
}
