import type { Duplex } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RouteStream } from '../../runtime/egress/index.ts'
import { plant, Site } from './support/site.ts'
import { Target } from './support/target.ts'

/* An agent that has signed in, and then sends whatever frames of HTTP/2 it likes. */

let site: Site
let target: Target

beforeEach(async () => {
  site = new Site()
  await site.open()
  target = await new Target().open()
})
afterEach(async () => {
  await site.close()
  await target.close()
})

const types = { data: 0, headers: 1, reset: 3, settings: 4, push: 5, ping: 6, goaway: 7, window: 8, continuation: 9 } as const
const [endStream, endHeaders] = [1, 4]

/** Returns a frame of HTTP/2 (RFC 9113, section 4.1). */
function frame(type: keyof typeof types, flags: number, stream: number, payload: Buffer | string = ''): Buffer {
  const content = Buffer.from(payload as string, 'latin1')
  const head = Buffer.alloc(9)
  head.writeUIntBE(content.length, 0, 3)
  head.writeUInt8(types[type], 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, content])
}

/** `:status: 200`, and `tocsin-clock: 1` (RFC 7541, sections 6.1 and 6.2.2). */
const answer = `\x88\x00\x0ctocsin-clock\x011`
const accept = frame('headers', endHeaders, 1, answer)
/** A header field of about 60,000 bytes: a literal whose length is a number of several bytes. */
const huge = `\x88\x00\x01a\x7f\xe1\xd3\x03${'x'.repeat(60_000)}`
const increment = (by: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(by)
  return bytes
}

const times = (count: number, one: Buffer): readonly Buffer[] => Array.from({ length: count / 1_000 }, () => Buffer.concat(Array(1_000).fill(one)))

const attacks: readonly (readonly [what: string, parts: readonly Buffer[]])[] = [
  ['pings', times(200_000, frame('ping', 0, 0, '12345678'))],
  ['answers to pings that nobody sent', times(200_000, frame('ping', 1, 0, '12345678'))],
  ['settings', times(200_000, frame('settings', 0, 0, '\x00\x04\x00\x00\xff\xff'))],
  ['window updates', times(200_000, frame('window', 0, 0, increment(1)))],
  ['a window larger than there is', [frame('window', 0, 0, increment(0x7fff_ffff)), frame('window', 0, 0, increment(0x7fff_ffff))]],
  ['resets', times(50_000, frame('reset', 0, 1, increment(8)))],
  ['resets of streams that nobody opened', times(50_000, frame('reset', 0, 99, increment(8)))],
  ['empty data', [accept, ...times(200_000, frame('data', 0, 1))]],
  ['data without an answer', [frame('data', 0, 1, 'x'.repeat(1_000))]],
  ['more data than the window allows', [accept, ...Array(200).fill(frame('data', 0, 1, 'x'.repeat(60_000)))]],
  ['data after the end', [accept, frame('data', endStream, 1, 'end'), ...times(10_000, frame('data', 0, 1, 'more'))]],
  ['a header that is too large', [frame('headers', endHeaders, 1, huge)]],
  ['headers that never end', [frame('headers', 0, 1, answer), ...times(20_000, frame('continuation', 0, 1, 'x'.repeat(100)))]],
  ['informational answers', times(20_000, frame('headers', endHeaders, 1, '\x08\x03100'))],
  ['trailers again and again', [accept, ...times(20_000, frame('headers', endHeaders | endStream, 1, '\x00\x01a\x01b'))]],
  ['a promise', [frame('push', endHeaders, 1, `\x00\x00\x00\x02${answer}`)]],
  ['a stream of its own', [frame('headers', endHeaders, 2, answer)]],
  ['goodbyes', times(20_000, frame('goaway', 0, 0, '\x00\x00\x00\x01\x00\x00\x00\x00'))],
  ['a frame that is too long', [frame('data', 0, 1, 'x'.repeat(100_000))]],
]

/** Of these, a tunnel that goes on would cost more to read than to send. */
const costly = new Set(['pings', 'settings', 'goodbyes'])

test.each(attacks)('%s from an agent cost little, and no other call', async (what, parts) => {
  const honest = { organization: null, name: 'honest' }
  await site.agent([target.entry], honest)
  const { stream: hostile } = await site.signIn(site.enrol())
  await expect.poll(() => site.roster.all.length).toBe(2)
  hostile.on('error', () => {})
  const read = readTo(hostile, 'the last')
  hostile.write(frame('settings', 0, 0))
  const opening: Promise<RouteStream | null> = site
    .route(plant)
    .open('crm.example.com', 443)
    .catch(() => null)
  await expect.poll(() => site.roster.all.reduce((sum, { streams }) => sum + streams, 0)).toBe(1)
  const before = process.memoryUsage()
  await sendAll(hostile, [...parts, frame('ping', 0, 0, 'the last')])
  // Then the runtime has read all, or has cut the tunnel.
  await read
  if (costly.has(what)) expect(hostile.destroyed).toBe(true)
  const { external, heapUsed } = process.memoryUsage()
  expect(external + heapUsed - before.external - before.heapUsed).toBeLessThan(100_000_000)
  const stream = await site.route(honest).open('127.0.0.1', target.port)
  stream.write('still works')
  await expect.poll(() => target.heard).toBe('still works')
  hostile.destroy()
  ;(await opening)?.destroy()
})

/** Resolves when the text arrives, or the stream is closed. */
function readTo(stream: Duplex, wanted: string): Promise<void> {
  return new Promise((resolve) => {
    let tail = ''
    stream.once('close', resolve)
    stream.on('data', (data: Buffer) => {
      tail = (tail + data.toString('latin1')).slice(-1_000_000)
      if (tail.includes(wanted)) resolve()
    })
  })
}

/** Sends as fast as the runtime takes it, until it cuts the tunnel. */
async function sendAll(stream: Duplex, parts: readonly Buffer[]): Promise<void> {
  for (const part of parts) {
    if (stream.destroyed) return
    await new Promise<void>((resolve) => {
      stream.once('close', resolve)
      stream.write(part, () => {
        stream.off('close', resolve)
        resolve()
      })
    })
  }
}
