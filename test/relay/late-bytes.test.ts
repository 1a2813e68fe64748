import { buffer } from 'node:stream/consumers'
import { beforeEach, expect, test } from 'vitest'
import type { RouteStream } from '../../runtime/egress/index.ts'
import { eachTest } from './support/each-test.ts'
import { plant, type Site } from './support/site.ts'
import type { Target } from './support/target.ts'

let site: Site
let target: Target
let stream: RouteStream

eachTest((...made) => {
  ;[site, target] = made
})

beforeEach(async () => {
  await site.agent([target.entry])
  stream = await site.route(plant).open('127.0.0.1', target.port)
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
