import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { Delivery } from '../../runtime/relay/agent/delivery.ts'
import type { ChannelTunnel } from '../../runtime/relay/link/channel.ts'
import { Channel, type Frame, readFrame, requestWindow, smallPiece } from '../../runtime/relay/link/index.ts'
import { Growth, Window } from '../../runtime/relay/link/window.ts'
import { eachTest } from './support/each-test.ts'
import { plant, type Site } from './support/site.ts'
import type { Target } from './support/target.ts'

/* A system may take long to read a large write. As long as the runtime is there and wants it, the agent passes it on. */

let site: Site
let target: Target
eachTest((...made) => {
  ;[site, target] = made
})

/** A piece that is too large to be joined with others. */
const piece = (letter: string): Buffer => Buffer.alloc(smallPiece + 1, letter)

/** A system that takes the next bytes when the test says so. Notes the first letter of each piece. */
function slowSystem() {
  const written: string[] = []
  const taken: (() => void)[] = []
  let [uptime, late] = [0, false]
  const socket = {
    write(bytes: Buffer, done: () => void) {
      written.push(bytes.toString('latin1', 0, 1))
      taken.push(done)
    },
  }
  const delivery = new Delivery(socket as unknown as Socket, () => uptime, {
    passed() {},
    late: () => {
      late = true
    },
  })
  const takesAt = (time: number): void => {
    uptime = time
    taken.shift()?.()
  }
  return { delivery, written, takesAt, isLate: () => late }
}

test('bytes that a slow system has not taken yet are passed on until the limit that was moved, and not after it', () => {
  const { delivery, written, takesAt, isLate } = slowSystem()
  for (const letter of ['a', 'b', 'c', 'd']) delivery.pass(piece(letter), 4_000)
  takesAt(3_000)
  delivery.extend(8_000)
  takesAt(7_999)
  expect([written, isLate()]).toEqual([['a', 'b', 'c'], false])
  takesAt(8_001)
  expect([written, isLate()]).toEqual([['a', 'b', 'c'], true])
})

test('the moved limit of a write does not hold for the next write on the same connection', () => {
  const { delivery, written, takesAt, isLate } = slowSystem()
  delivery.pass(piece('a'), 4_000)
  delivery.extend(8_000)
  takesAt(2_000)
  delivery.pass(piece('b'), 3_000)
  delivery.pass(piece('c'), 3_000)
  takesAt(3_001)
  expect([written, isLate()]).toEqual([['a', 'b'], true])
})

test.each([Number.NaN, Number.NEGATIVE_INFINITY, 0, 3_999])('a limit that is moved to %d is not moved', (until) => {
  const { delivery, written, takesAt, isLate } = slowSystem()
  for (const letter of ['a', 'b', 'c']) delivery.pass(piece(letter), 4_000)
  delivery.extend(until)
  takesAt(4_000)
  takesAt(4_001)
  expect([written, isLate()]).toEqual([['a', 'b'], true])
})

test('what still waits for credit leaves with the moved limit, unless its own is later', () => {
  const sent: Frame[] = []
  const tunnel: ChannelTunnel = {
    full: false,
    send: (frame) => void sent.push(frame),
    turn: (channel) => channel.flush(),
    expect() {},
    over() {},
  }
  const channel = new Channel(1, tunnel, new Window(requestWindow, new Growth(0), () => {}), 1)
  channel.send(Buffer.concat([Buffer.from('a'), piece('b')]), 4_000)
  channel.send(piece('c'), 9_000)
  channel.send(piece('d'))
  channel.extend(8_000)
  channel.take({ type: 'credit', stream: 1, bytes: 3 * piece('x').length })
  const pieces = sent.flatMap((frame) => (frame.type === 'data' ? [`${frame.bytes.toString('latin1', 0, 1)} until ${frame.until}`] : []))
  expect(pieces).toEqual(['a until 4000', ' until 8000', 'b until 8000', 'c until 9000', 'd until null'])
})

test('the runtime moves the limit of a write each second, until it is over, and never beyond its own limit', async () => {
  const { socket } = await site.agent([target.entry])
  const limits: number[] = []
  socket.on('message', (data: Buffer) => {
    const frame = readFrame(data)
    if (frame?.type === 'data' && frame.bytes.length === 0 && frame.until !== null) limits.push(frame.until)
  })
  const stream = await site.route(plant).open('127.0.0.1', target.port)
  const heard = async (text: string): Promise<void> => {
    stream.write(text)
    await expect.poll(() => target.heard.endsWith(text)).toBe(true)
  }
  stream.limit(site.clock.now() + 2_500)
  const began = performance.now()
  site.clock.advance(1_000)
  site.clock.advance(1_000)
  await heard('one')
  expect(limits).toHaveLength(2)
  const waited = performance.now() - began
  // By the agent's clock, which said 5,000. What is left of the write's limit is 1,500 and then 500.
  for (const [at, left] of [1_500, 500].entries()) {
    expect(limits[at]).toBeGreaterThanOrEqual(5_000 + left)
    expect(limits[at]).toBeLessThan(5_000 + left + waited + 1_000)
  }
  site.clock.advance(3_000)
  stream.limit(site.clock.now() + 60_000)
  stream.limit(null)
  site.clock.advance(3_000)
  await heard('two')
  expect(limits).toHaveLength(2)
})
