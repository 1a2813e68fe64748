import { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { socketPair } from '../../../test/relay/support/socket-pair.ts'
import { type Frame, readFrame } from './frames.ts'
import { largestPiece } from './limits.ts'
import { Outbox } from './outbox.ts'

const data = (bytes: Buffer): Frame => ({ type: 'data', stream: 1, until: null, bytes })
const filled = (count: number, value: number): Buffer => Buffer.alloc(count, value)

/** A connection that takes nothing until it is told to. */
function slow() {
  const written: Buffer[] = []
  const waiting: (() => void)[] = []
  const connection = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk)
      waiting.push(done)
    },
  })
  return { connection, written, take: () => waiting.shift()?.() }
}

/** An outbox that has written a large batch, of ones. */
async function full() {
  const { connection, written, take } = slow()
  const outbox = new Outbox(connection, false, () => {})
  outbox.put(data(filled(largestPiece, 1)))
  await turn()
  return { outbox, connection, written, take }
}

test('frames of one turn of the event loop leave in one write', async () => {
  const { connection, written } = slow()
  const outbox = new Outbox(connection, false, () => {})
  outbox.put({ type: 'ping' })
  outbox.put(data(Buffer.from('hi')))
  expect(outbox.waiting).toBe(7 + 9)
  await turn()
  expect(written.map((each) => each.toString('hex'))).toEqual(['82050900000000' + '820704000000016869'])
})

test('an end that dialed masks with zeros', async () => {
  const { connection, written } = slow()
  new Outbox(connection, true, () => {}).put({ type: 'ping' })
  await turn()
  expect(written[0]?.toString('hex')).toBe('8285000000000900000000')
})

test.each([0, 1, 120, 121, 1_000, largestPiece])('a WebSocket reads data of %i bytes, between other frames', async (count) => {
  const { wire, peer } = await socketPair()
  const frames: Frame[] = [
    { type: 'ping' },
    data(filled(count, 7)),
    { type: 'data', stream: 2, until: 1.5, bytes: filled(count, 8) },
    { type: 'leave' },
  ]
  const got: unknown[] = []
  peer.on('message', (message: Buffer) => got.push(readFrame(message)))
  for (const frame of frames) wire.send(frame)
  await expect.poll(() => got.length).toBe(frames.length)
  expect(got).toEqual(frames)
})

test('memory is used again once its bytes have left, and not before', async () => {
  const { outbox, written, take } = await full()
  outbox.put(data(filled(largestPiece, 2)))
  await turn()
  take()
  expect([written[0]?.at(-1), written[1]?.at(-1)]).toEqual([1, 2])
  outbox.put(data(filled(largestPiece, 3)))
  await turn()
  take()
  expect(written[1]?.at(-1)).toBe(2)
  expect(written[2]?.buffer).toBe(written[0]?.buffer)
})

test('nothing is written to a connection that has ended', async () => {
  const { outbox, connection, written, take } = await full()
  outbox.put({ type: 'ping' })
  connection.end()
  take()
  await turn()
  expect(written).toHaveLength(1)
  connection.destroy()
  outbox.put({ type: 'ping' })
  outbox.flush()
  expect(written).toHaveLength(1)
})
