import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RouteStream } from '../../runtime/egress/index.ts'
import { chunkHeader, TimedBytes } from '../../runtime/relay/link/index.ts'
import { plant, Site } from './support/site.ts'
import { Target } from './support/target.ts'

let site: Site
let target: Target
let stream: RouteStream

beforeEach(async () => {
  site = new Site()
  await site.open()
  target = await new Target().open()
  await site.agent([target.entry])
  stream = await site.route(plant).open('127.0.0.1', target.port)
})

afterEach(async () => {
  await site.close()
  await target.close()
})

test('an agent whose machine slept until a write was too late does not pass it on, and cuts the connection', async () => {
  site.uptime += 60_000
  stream.limit(site.clock.now() + 30_000)
  stream.end('suspend the user')
  await expect(buffer(stream)).rejects.toMatchObject({ code: 'ECONNRESET' })
  await expect.poll(() => target.sockets[0]?.destroyed).toBe(true)
  expect(target.heard).toBe('')
})

test('an agent that slept for a few seconds passes on no write, even one that has more time: people may have answered that it did not happen', async () => {
  site.uptime += 4_500
  stream.limit(site.clock.now() + 60_000)
  stream.write('suspend the user')
  await expect(buffer(stream)).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(target.heard).toBe('')
})

test('a write in time passes, and so does what has no limit, however late', async () => {
  stream.limit(site.clock.now() + 30_000)
  stream.write('in time ')
  await expect.poll(() => target.heard).toBe('in time ')
  site.uptime += 3_600_000
  stream.limit(null)
  stream.end('a read')
  expect((await buffer(stream)).toString()).toBe('in time a read')
})

test('the limit of a write counts from the clock of the runtime, wherever the agent is', async () => {
  stream.limit(site.clock.now() - 60_000)
  stream.write('too late already')
  await expect(buffer(stream)).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(target.heard).toBe('')
})

test('chunks are found wherever the stream is divided', async () => {
  const chunks = Buffer.concat([chunkHeader(5, null), Buffer.from('hello'), chunkHeader(6, 7), Buffer.from(' world'), chunkHeader(0, null)])
  for (let at = 0; at <= chunks.length; at++) {
    const bytes = new TimedBytes(() => 7)
    bytes.write(chunks.subarray(0, at))
    bytes.end(chunks.subarray(at))
    expect((await buffer(bytes)).toString()).toBe('hello world')
  }
})

test.each([
  ['a stream without its last chunk', [chunkHeader(5, null), Buffer.from('hello')], 'was cut'],
  ['a chunk that stops midway', [chunkHeader(5, null), Buffer.from('hell')], 'was cut'],
  ['bytes after the last chunk', [chunkHeader(0, null), Buffer.from('hello')], 'after the last chunk'],
  ['a limit that is no number', [chunkHeader(5, Number.NaN), Buffer.from('hello')], 'too late'],
] as const)('%s is an error', async (_what, parts, message) => {
  const bytes = new TimedBytes(() => 7)
  bytes.end(Buffer.concat(parts))
  await expect(buffer(bytes)).rejects.toThrow(message)
})
