import { once } from 'node:events'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answerWindow, largestPiece } from '../../runtime/relay/link/index.ts'
import { until } from '../support/until.ts'
import { plant, Site } from './support/site.ts'
import { Target } from './support/target.ts'

let site: Site
let flood: Target
let echo: Target

/** Writes until it is held back, again and again. Counts what it could write. */
let poured = 0
function pour(socket: Socket): void {
  const block = Buffer.alloc(64 * 1024, 'x')
  const go = (): void => {
    while (!socket.destroyed && socket.write(block)) poured += block.length
    poured += block.length
  }
  socket.on('drain', go)
  go()
}

beforeEach(async () => {
  poured = 0
  site = new Site()
  await site.open()
  flood = await new Target(pour).open()
  echo = await new Target().open()
  await site.agent([flood.entry, echo.entry])
})

afterEach(async () => {
  await site.close()
  await flood.close()
  await echo.close()
})

/** Resolves when a number no longer changes while other streams carry data. */
async function settled(number: () => number): Promise<number> {
  for (;;) {
    const before = number()
    for (let count = 0; count < 5; count++) await passing(1024)
    if (number() === before) return before
  }
}

/** Sends bytes to the echo and back. */
async function passing(size = 1024 * 1024): Promise<void> {
  const stream = await site.route(plant).open('127.0.0.1', echo.port)
  stream.end(Buffer.alloc(size))
  expect(await buffer(stream)).toHaveLength(size)
}

test('a reader that stops holds back its own stream within its window, and no other', async () => {
  const stopped = await Promise.all(Array.from({ length: 20 }, () => site.route(plant).open('127.0.0.1', flood.port)))
  await settled(() => site.online.status().received - echo.heard.length)
  // What each stream holds in this process: its window, and its own buffer.
  for (const stream of stopped) expect(stream.readableLength).toBeLessThanOrEqual(answerWindow.first + largestPiece)
  expect(site.online.status().received - echo.heard.length).toBeLessThanOrEqual(20 * 2 * answerWindow.first)
  await passing()
})

test('a reader that goes on gets the rest', async () => {
  const stream = await site.route(plant).open('127.0.0.1', flood.port)
  const before = await settled(() => poured)
  let got = 0
  stream.on('data', (chunk: Buffer) => {
    got += chunk.length
  })
  await until(async () => got > before + 10_000_000)
  stream.destroy()
})

test('a system that stops reading holds back the writer of its stream, and no other', async () => {
  const deaf = await new Target((socket) => socket.pause()).open()
  await site.agent([deaf.entry], { organization: null, name: 'other' })
  const stream = await site.route({ organization: null, name: 'other' }).open('127.0.0.1', deaf.port)
  let written = 0
  while (
    stream.write(Buffer.alloc(64 * 1024)) ||
    (await Promise.race([once(stream, 'drain').then(() => true), settled(() => written).then(() => false)]))
  )
    written += 64 * 1024
  expect(written).toBeLessThan(64 * 1024 * 1024)
  await passing()
  await deaf.close()
})

test('a stream that needs a larger window asks those that were read longest ago to end', async () => {
  const streams = await Promise.all(
    Array.from({ length: Math.ceil(answerWindow.growth / answerWindow.most) + 1 }, () => site.route(plant).open('127.0.0.1', flood.port)),
  )
  const spared: number[] = []
  for (const [at, stream] of streams.entries()) {
    stream.on('spare', () => spared.push(at))
    let got = 0
    // As much as a window needs to grow as far as it may.
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      got += (chunk as Buffer).length
      if (got > 4 * answerWindow.most) break
    }
  }
  expect(spared[0]).toBe(0)
  for (const stream of streams) stream.destroy()
})
