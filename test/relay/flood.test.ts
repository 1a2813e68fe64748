import { expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import type { RouteStream } from '../../runtime/egress/index.ts'
import { type Frame, writeFrame } from '../../runtime/relay/link/index.ts'
import { until } from '../support/until.ts'
import { closed } from './support/closed.ts'
import { eachTest } from './support/each-test.ts'
import { plant, type Site } from './support/site.ts'
import { socketPair } from './support/socket-pair.ts'
import type { Target } from './support/target.ts'

/* An agent that has signed in, and then sends whatever frames it likes. What would cost the runtime more than the agent ends the tunnel. */

let site: Site
let target: Target
eachTest((...made) => {
  ;[site, target] = made
})

const accept: Frame = { type: 'opened', stream: 1, text: '{"clock":1}' }
const data = (size: number): Frame => ({ type: 'data', stream: 1, until: null, bytes: Buffer.alloc(size) })
const times = (count: number, frame: Frame): readonly Frame[] => Array(count).fill(frame)

/** A `pong`, as the runtime sends it. */
const frameOfPong = Buffer.from([0x82, 5, 10, 0, 0, 0, 0])

const attacks: readonly (readonly [what: string, frames: readonly Frame[], cut: boolean])[] = [
  ['pings', times(100_000, { type: 'ping' }), true],
  ['answers to pings that nobody sent', times(100_000, { type: 'pong' }), false],
  ['goodbyes', times(100_000, { type: 'leave' }), true],
  ['resets', times(50_000, { type: 'reset', stream: 1 }), false],
  ['resets of streams that nobody opened', times(50_000, { type: 'reset', stream: 99 }), true],
  ['ends', [accept, ...times(50_000, { type: 'end', stream: 1 })], true],
  ['credits of nothing', [accept, ...times(100_000, { type: 'credit', stream: 1, bytes: 0 })], false],
  ['credits without end', [accept, ...times(10, { type: 'credit', stream: 1, bytes: 0xffff_ffff })], true],
  ['empty data', [accept, ...times(100_000, data(0))], false],
  ['data without an answer', [data(1_000)], true],
  ['more data than the window allows', [accept, ...times(2_000, data(16_000))], true],
  ['data after the end', [accept, { type: 'end', stream: 1 }, ...times(1_000, data(1_000))], true],
  ['answers again and again', [accept, ...times(10_000, accept)], true],
  ['an answer that is no JSON', [{ ...accept, text: 'x'.repeat(4_000) }], false],
  ['a stream of its own', [{ type: 'open', stream: 2, text: '{}' }], true],
]

test.each(attacks)('%s from an agent cost little, and no other call', async (_what, frames, cut) => {
  const honest = { organization: null, name: 'honest' }
  await site.agent([target.entry], honest)
  const hostile = site.dial()
  await site.signIn(site.enrol(), hostile)
  await expect.poll(() => site.roster.all.length).toBe(2)
  const read = cut ? closed(hostile) : answered(hostile)
  const opening: Promise<RouteStream | null> = site
    .route(plant)
    .open('crm.example.com', 443)
    .catch(() => null)
  await expect.poll(() => site.roster.all.reduce((sum, { streams }) => sum + streams, 0)).toBe(1)
  const before = process.memoryUsage()
  await sendAll(hostile, [...frames, { type: 'ping' }])
  await read
  const { external, heapUsed } = process.memoryUsage()
  expect(external + heapUsed - before.external - before.heapUsed).toBeLessThan(100_000_000)
  const stream = await site.route(honest).open('127.0.0.1', target.port)
  stream.write('still works')
  await expect.poll(() => target.heard).toBe('still works')
  hostile.terminate()
  ;(await opening)?.destroy()
})

test.each([
  ['frames', frameOfPong],
  ['WebSocket messages that are no frames', Buffer.concat([...Array<Buffer>(100).fill(Buffer.from([0x8a, 0])), frameOfPong])],
])('a flood of tiny %s leaves the event loop to others in between', async (_what, tiny) => {
  const { wire, connection } = await socketPair()
  const all = Math.floor(2_000_000 / tiny.length)
  let [came, inTurn, most] = [0, 0, 0]
  const turn = (): void => {
    most = Math.max(most, inTurn)
    inTurn = 0
    if (came < all) setImmediate(turn)
  }
  const frame = (): void => {
    came += 1
    inTurn += 1
  }
  wire.use({ frame, room() {}, closed() {} })
  turn()
  connection.write(Buffer.concat(Array<Buffer>(all).fill(tiny)))
  await until(() => came === all && inTurn === 0)
  expect(most).toBeLessThan(all / 20)
})

/** Resolves when the runtime has read everything before a ping, and answers it. */
function answered(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('close', () => reject(new Error('the tunnel was cut')))
    socket.on('message', (message: Buffer) => {
      if (message[0] === 10) resolve()
    })
  })
}

/** Sends as fast as the runtime takes it, until it cuts the tunnel. */
async function sendAll(socket: WebSocket, frames: readonly Frame[]): Promise<void> {
  for (let at = 0; at < frames.length && socket.readyState === socket.OPEN; at += 1_000) {
    const some = frames.slice(at, at + 1_000).map(writeFrame)
    await Promise.all(some.map((message) => new Promise((resolve) => socket.send(message, resolve))))
  }
}
