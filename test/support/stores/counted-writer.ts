import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { onTestFinished, vi } from 'vitest'
import { filesOf } from '../../../runtime/storage/embedded/files/names.ts'
import { Channel } from '../../../runtime/storage/embedded/threads/channel.ts'
import type { ToThread } from '../../../runtime/storage/embedded/threads/messages.ts'
import { ManualClock } from '../clocks/manual-clock.ts'

/** Opens the writer's thread of a new store for one test, which sees how many calls each batch has. */
export async function countedWriter() {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-batches-'))
  const clock = new ManualClock()
  const writer = Channel.start({ role: 'writer', files: filesOf(directory), companions: [], now: clock.now() }, clock, () => {})
  await writer.open()
  await writer.begin()
  const sent = vi.spyOn(Worker.prototype, 'postMessage')
  onTestFinished(async () => {
    sent.mockRestore()
    await writer.close()
    rmSync(directory, { recursive: true })
  })
  const look = (): Promise<unknown> => writer.call('probe', 'look', [])
  return {
    writer,
    look,
    looks: (count: number) => Promise.all(Array.from({ length: count }, look)),
    /** How many calls each batch had. */
    batches: () =>
      sent.mock.calls.map(([message]) => message as ToThread).flatMap((message) => (message.kind === 'batch' ? [message.calls.length] : [])),
  }
}
