import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { answerWindow, type Frame, largestPiece, protocol, readFrame, tunnelPath, writeFrame } from '../../runtime/relay/link/index.ts'
import { Growth, Window } from '../../runtime/relay/link/window.ts'

const frames: readonly [frame: Frame, hex: string][] = [
  [{ type: 'open', stream: 1, text: '{"host":"a","port":1}' }, '01000000017b22686f7374223a2261222c22706f7274223a317d'],
  [{ type: 'opened', stream: 2, text: '{"clock":5}' }, '02000000027b22636c6f636b223a357d'],
  [{ type: 'refused', stream: 3, text: '{}' }, '03000000037b7d'],
  [{ type: 'data', stream: 4, until: null, bytes: Buffer.from('hello') }, '040000000468656c6c6f'],
  [{ type: 'data', stream: 0xffffffff, until: 1.5, bytes: Buffer.from('hello') }, '05ffffffff3ff800000000000068656c6c6f'],
  [{ type: 'credit', stream: 5, bytes: 65_536 }, '060000000500010000'],
  [{ type: 'end', stream: 6 }, '0700000006'],
  [{ type: 'reset', stream: 7 }, '0800000007'],
  [{ type: 'ping' }, '0900000000'],
  [{ type: 'pong' }, '0a00000000'],
  [{ type: 'leave' }, '0b00000000'],
  [{ type: 'leaving', stream: 8 }, '0c00000008'],
  [{ type: 'spare', stream: 9 }, '0d00000009'],
]

// An agent of an earlier version sends and expects exactly these bytes, so they must not change.
test.each(frames)('%j has always the same bytes', (frame, hex) => {
  expect(writeFrame(frame).toString('hex')).toBe(hex)
  expect(readFrame(Buffer.from(hex, 'hex'))).toEqual(frame)
})

test('data with as many bytes as allowed is read, and with one more it is not', () => {
  for (const until of [null, 7]) {
    const message = writeFrame({ type: 'data', stream: 1, until, bytes: Buffer.alloc(largestPiece) })
    expect(readFrame(message)).toMatchObject({ type: 'data', until })
    expect(readFrame(Buffer.concat([message, Buffer.alloc(1)]))).toBeNull()
  }
})

/** Has a reader read at once what comes, as often as the window lets come. Returns the largest credit. */
function reading(window: Window, bytes: number): number {
  let largest = 0
  for (let read = 0; read < bytes; read += largestPiece) {
    expect(window.came(largestPiece)).toBe(true)
    largest = Math.max(largest, window.wereRead(largestPiece))
  }
  return largest
}

test('a window grows while its reader keeps up, as far as it may', () => {
  const window = new Window(answerWindow, new Growth(answerWindow.growth), () => {})
  expect(reading(window, 100_000_000)).toBeGreaterThan(answerWindow.most / 4)
  // The other end may send the whole window, and no more.
  let more = 0
  while (window.came(largestPiece)) more += largestPiece
  expect(more).toBeGreaterThanOrEqual(answerWindow.most / 2)
  expect(more).toBeLessThanOrEqual(answerWindow.most)
})

test('all windows of a tunnel together grow only so much, and a stream that ends gives back its part', () => {
  const growth = new Growth(answerWindow.most - answerWindow.first)
  const [first, second] = [new Window(answerWindow, growth, () => {}), new Window(answerWindow, growth, () => {})]
  reading(first, 100_000_000)
  expect(reading(second, 100_000_000)).toBeLessThanOrEqual(answerWindow.first)
  first.close()
  expect(reading(second, 100_000_000)).toBeGreaterThan(answerWindow.first)
})

test('a window that cannot grow asks others to make room, the one that was read longest ago first, and each once', () => {
  const growth = new Growth(3 * answerWindow.first)
  const asked: string[] = []
  const windowOf = (name: string, act = (): void => {}): Window =>
    new Window(answerWindow, growth, () => {
      asked.push(name)
      act()
    })
  const grow = (window: Window): number => window.wereRead(2 * answerWindow.first)
  const idle: Window = windowOf('idle', () => idle.close())
  const [busy, recent, hungry] = [windowOf('busy'), windowOf('recent'), windowOf('hungry')]
  for (const window of [busy, idle, recent]) expect(grow(window)).toBe(3 * answerWindow.first)
  expect(grow(hungry)).toBe(3 * answerWindow.first)
  expect(asked).toEqual(['busy', 'idle'])
  // Nobody makes room any more. A window that was asked is asked again only after it was read.
  expect([hungry.wereRead(4 * answerWindow.first), hungry.wereRead(4 * answerWindow.first)]).toEqual(
    [4, 4].map((times) => times * answerWindow.first),
  )
  expect(asked).toEqual(['busy', 'idle', 'recent'])
})

test('the page about the protocol says where the WebSocket is, and its subprotocol', async () => {
  const page = await readFile(new URL('../../docs/reference/agent-protocol.md', import.meta.url), 'utf8')
  expect(page).toContain(`a WebSocket (RFC 6455) at \`${tunnelPath}\` with the subprotocol \`${protocol}\``)
})
