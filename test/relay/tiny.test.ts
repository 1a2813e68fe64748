import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { Delivery } from '../../runtime/relay/agent/delivery.ts'
import { answerWindow, type Frame, largestPiece, Pieces, readFrame, requestWindow, Tunnel, writeFrame } from '../../runtime/relay/link/index.ts'
import { ManualClock } from '../support/clocks/manual-clock.ts'
import { eachTest } from './support/each-test.ts'
import { plant, type Site } from './support/site.ts'
import { socketPair } from './support/socket-pair.ts'

/* A peer may send each byte in a frame of its own. While nobody takes the bytes, they must not cost much more than those of large frames. */

let site: Site
eachTest((made) => {
  site = made
})

const bytesOf = (count: number): Buffer => Buffer.from(Array.from({ length: count }, (_, at) => at % 251))

/** Hands over bytes one by one. */
function oneByOne(bytes: Buffer, hand: (byte: Buffer) => void): void {
  for (let at = 0; at < bytes.length; at += 1) hand(bytes.subarray(at, at + 1))
}

/** As many pieces as there may be of bytes that came one by one. */
const fewOf = (count: number): number => count / (largestPiece / 2) + 3

test('small pieces are joined while they wait, up to the size of a large one', () => {
  const [pieces, bytes] = [new Pieces(), bytesOf(100_000)]
  oneByOne(bytes, (byte) => pieces.add(byte, null))
  const taken = [...allOf(pieces)]
  expect(Buffer.concat(taken).equals(bytes)).toBe(true)
  expect(taken.length).toBeLessThan(fewOf(bytes.length))
  for (const one of taken) expect(one.length).toBeLessThanOrEqual(largestPiece)
})

test('large pieces are not copied', () => {
  const [pieces, large] = [new Pieces(), [bytesOf(largestPiece), bytesOf(largestPiece), bytesOf(2_000)]]
  for (const one of large) pieces.add(one, null)
  for (const one of large) expect(pieces.take()?.bytes).toBe(one)
})

test('pieces that are taken in parts, and joined meanwhile, stay in order', () => {
  const [pieces, bytes] = [new Pieces(), bytesOf(60_000)]
  const taken: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 300) {
    pieces.add(bytes.subarray(at, at + 300), null)
    const part = pieces.take(at % 700)
    if (part) taken.push(Buffer.from(part.bytes))
  }
  expect(Buffer.concat([...taken, ...allOf(pieces)]).equals(bytes)).toBe(true)
})

test.each([
  [1_000, 2_000, 1_000],
  [2_000, 1_000, 1_000],
  [null, 1_000, 1_000],
  [1_000, null, 1_000],
  [null, null, null],
  [1_000, Number.NaN, Number.NaN],
])('pieces with the limits %s and %s have the limit %s when they are joined', (one, other, both) => {
  const pieces = new Pieces()
  pieces.add(Buffer.from('a'), one)
  pieces.add(Buffer.from('b'), other)
  expect(pieces.take()).toMatchObject({ bytes: Buffer.from('ab'), until: both })
})

test('a reader that pauses gets the bytes of an agent that sends them one by one in few pieces', async () => {
  const agent = site.dial()
  await site.signIn(site.enrol(), agent)
  await expect.poll(() => site.roster.all.length).toBe(1)
  const opening = site.route(plant).open('crm.example.com', 443)
  const send = (frame: Frame): void => agent.send(writeFrame(frame))
  const opened = new Promise<void>((resolve) => agent.once('message', () => resolve()))
  await opened
  send({ type: 'opened', stream: 1, text: '{"clock":1}' })
  const stream = await opening
  const bytes = bytesOf(answerWindow.first)
  const read = new Promise<void>((resolve) => agent.on('message', (message: Buffer) => message[0] === 10 && resolve()))
  oneByOne(bytes, (byte) => send({ type: 'data', stream: 1, until: null, bytes: byte }))
  send({ type: 'end', stream: 1 })
  send({ type: 'ping' })
  await read
  const got: Buffer[] = []
  for await (const chunk of stream) got.push(chunk as Buffer)
  expect(Buffer.concat(got).equals(bytes)).toBe(true)
  expect(got.length).toBeLessThan(fewOf(bytes.length))
})

test('a slow system gets bytes that came one by one in few pieces', () => {
  const written: Buffer[] = []
  const taken: (() => void)[] = []
  const socket = {
    write(bytes: Buffer, done: () => void) {
      written.push(bytes)
      taken.push(done)
    },
  }
  let passed = 0
  const delivery = new Delivery(socket as unknown as Socket, () => 0, {
    passed: (count) => {
      passed += count
    },
    late: () => {},
  })
  const bytes = bytesOf(requestWindow.most)
  let limit = 0
  oneByOne(bytes, (byte) => delivery.pass(byte, ++limit))
  for (let done = taken.shift(); done; done = taken.shift()) done()
  expect(Buffer.concat(written).equals(bytes)).toBe(true)
  expect(written.length).toBeLessThan(fewOf(bytes.length))
  expect(passed).toBe(bytes.length)
})

/** A stream without credit, and its peer. */
async function heldBack() {
  const { wire, peer } = await socketPair()
  const tunnel = new Tunnel(wire, { opens: true }, new ManualClock())
  const { channel, answer } = tunnel.open('{}', { evenSilent: true })
  const send = (frame: Frame): void => peer.send(writeFrame(frame))
  send({ type: 'opened', stream: 1, text: '{"clock":1}' })
  await answer
  const got: Buffer[] = []
  peer.on('message', (message: Buffer) => {
    const frame = readFrame(message)
    if (frame?.type === 'data') got.push(frame.bytes)
  })
  channel.use({ data() {}, end() {}, room() {}, cut() {} })
  channel.send(Buffer.alloc(requestWindow.first))
  await expect.poll(() => got.reduce((sum, { length }) => sum + length, 0)).toBe(requestWindow.first)
  got.length = 0
  return { channel, send, got, received: () => got.reduce((sum, { length }) => sum + length, 0) }
}

test('bytes that were sent one by one leave in few frames when the other end accepts more', async () => {
  const { channel, send, got, received } = await heldBack()
  const bytes = bytesOf(100_000)
  oneByOne(bytes, (byte) => channel.send(byte))
  send({ type: 'credit', stream: 1, bytes: bytes.length })
  await expect.poll(received).toBe(bytes.length)
  expect(Buffer.concat(got).equals(bytes)).toBe(true)
  expect(got.length).toBeLessThan(fewOf(bytes.length))
})

test('more than may wait for the network leaves little by little when the other end accepts it all at once', async () => {
  const { channel, send, received } = await heldBack()
  const bytes = bytesOf(8 * 1024 * 1024)
  channel.send(bytes)
  send({ type: 'credit', stream: 1, bytes: bytes.length })
  await expect.poll(received, { timeout: 10_000 }).toBe(bytes.length)
})

test('frames that wait for the network take about as much memory as they have bytes', async () => {
  const { wire } = await socketPair()
  const memory = (): number => process.memoryUsage().arrayBuffers
  const before = memory()
  let taken = 0
  wire.together(() => {
    oneByOne(bytesOf(8_000), (bytes) => wire.send({ type: 'data', stream: 1, until: 1, bytes }))
    taken = memory() - before
  })
  expect(taken).toBeLessThan(8_000_000)
})

test('writes that wait for the network are limited in number, too, however small they are', async () => {
  const { wire } = await socketPair()
  const over = Promise.withResolvers<void>()
  wire.use({ frame() {}, room() {}, closed: over.resolve })
  const full: boolean[] = []
  // A frame is counted when it is written, so the next one ends the wire.
  for (let count = 1; count <= 8_192 + 1; count++) {
    wire.together(() => wire.send({ type: 'pong' }))
    full.push(wire.full)
  }
  expect(full.indexOf(true)).toBe(1_023)
  await over.promise
})

function* allOf(pieces: Pieces): Generator<Buffer> {
  for (let piece = pieces.take(); piece; piece = pieces.take()) yield piece.bytes
}
