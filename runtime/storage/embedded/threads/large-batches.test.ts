import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ManualClock } from '../../../../test/support/clocks/manual-clock.ts'
import { inLane } from '../../../fairness/index.ts'
import { filesOf } from '../files/names.ts'
import { Channel } from './channel.ts'
import type { ToThread } from './messages.ts'

async function opened() {
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

const round = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

test('after a large batch, the calls of the next rounds of the event loop share one', async () => {
  const { look, looks, batches } = await opened()
  await looks(9)
  const one = look()
  await round()
  await Promise.all([one, look()])
  expect(batches()).toEqual([9, 2])
})

test('a call of another lane ends the wait', async () => {
  const { look, looks, batches } = await opened()
  await inLane('flood', () => looks(9))
  const flood = inLane('flood', look)
  const light = inLane('light', look)
  await round()
  await Promise.all([flood, light, inLane('flood', look)])
  expect(batches()).toEqual([9, 2, 1])
})

test('an alert that is stored ends the wait, and the calls after it wait again', async () => {
  const { writer, look, looks, batches } = await opened()
  await looks(9)
  const others = [look(), writer.call('alerts', 'insert', [{ organizations: 'all' }, []])]
  await round()
  await Promise.all([...others, look()])
  await looks(9)
  const one = look()
  await round()
  await Promise.all([one, look()])
  expect(batches()).toEqual([9, 2, 1, 9, 2])
})

test('calls that wait for more rounds are answered before the thread ends', async () => {
  const { writer, look, looks, batches } = await opened()
  await looks(9)
  const one = look()
  await writer.finish()
  await one
  expect(batches()).toEqual([9, 1])
})

test('after a small batch, a call leaves at the end of its round', async () => {
  const { look, looks, batches } = await opened()
  await looks(8)
  const one = look()
  await round()
  await Promise.all([one, look()])
  expect(batches()).toEqual([8, 1, 1])
})
