import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { eachTest } from './support/each-test.ts'
import { plant, type Site } from './support/site.ts'
import type { Target } from './support/target.ts'

let site: Site
let target: Target
eachTest((...made) => {
  ;[site, target] = made
})

test('bytes arrive complete and in order in both directions, however many there are', async () => {
  await site.agent([target.entry])
  const stream = await site.route(plant).open('127.0.0.1', target.port)
  const sent = randomBytes(5_000_000)
  stream.end(sent)
  expect((await buffer(stream)).equals(sent)).toBe(true)
  expect(site.online.status()).toMatchObject({ version: '1.2.3', address: '192.0.2.7', opened: 1, sent: 5_000_000, received: 5_000_000 })
})

test('many streams at once do not mix', async () => {
  await site.agent([target.entry])
  const route = site.route(plant)
  const echoed = await Promise.all(
    Array.from({ length: 100 }, async (_, at) => {
      const stream = await route.open('127.0.0.1', target.port)
      stream.end(`${at} `.repeat(20_000))
      return (await buffer(stream)).toString() === `${at} `.repeat(20_000)
    }),
  )
  expect(echoed).toEqual(echoed.map(() => true))
})

test('without an agent, a call fails at once', async () => {
  await expect(site.route(plant).open('127.0.0.1', target.port)).rejects.toMatchObject({ code: 'agent_offline' })
})

test('an agent that disappears cuts its streams, which is never an ordinary end', async () => {
  const { socket } = await site.agent([target.entry])
  const stream = await site.route(plant).open('127.0.0.1', target.port)
  stream.write('half of a request')
  await expect.poll(() => target.heard).toBe('half of a request')
  socket.terminate()
  await expect(buffer(stream)).rejects.toMatchObject({ code: 'ECONNRESET' })
  await expect(site.route(plant).open('127.0.0.1', target.port)).rejects.toMatchObject({ code: 'agent_offline' })
})

test('a system that cuts a connection cuts the stream', async () => {
  await site.agent([target.entry])
  const stream = await site.route(plant).open('127.0.0.1', target.port)
  stream.write('hello')
  await expect.poll(() => target.heard).toBe('hello')
  target.sockets[0]?.resetAndDestroy()
  await expect(buffer(stream.on('error', () => {}))).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('a system that nobody can reach is told from an agent that is offline', async () => {
  const { log } = await site.agent([target.entry, 'nowhere.invalid:443'])
  const { port } = target
  await target.close()
  const open = (host: string, at: number): Promise<unknown> => site.route(plant).open(host, at)
  await expect(open('127.0.0.1', port)).rejects.toMatchObject({ code: 'network', message: expect.stringContaining('(ECONNREFUSED)') })
  await expect(open('nowhere.invalid', 443)).rejects.toMatchObject({ code: 'network', message: expect.stringMatching(/\((ENOTFOUND|EAI_AGAIN)\)/) })
  expect(log[0]).toBe(`127.0.0.1:${port} ECONNREFUSED`)
  expect(site.online.status().lastError?.message).toContain('nowhere.invalid:443')
})

test('several agents share the streams of their name, and one takes over when another goes', async () => {
  const first = await site.agent([target.entry])
  const second = await site.agent([target.entry])
  const route = site.route(plant)
  for (let count = 0; count < 6; count++) await route.open('127.0.0.1', target.port)
  expect([first.log.length, second.log.length]).toEqual([3, 3])
  first.socket.terminate()
  // Right away: the runtime may not have noticed yet.
  await route.open('127.0.0.1', target.port)
  expect(second.log).toHaveLength(4)
})

test('a tunnel whose other end is silent for a whole beat is given up, by either end', async () => {
  const { tunnel, socket } = await site.agent([target.entry])
  await expect.poll(() => site.online.status().roundTrip).not.toBeNull()
  socket.pause()
  site.clock.advance(10_000)
  site.clock.advance(10_000)
  await tunnel.gone
  await expect.poll(() => site.roster.all).toEqual([])
})

test('a tunnel outlives calls that are given up, however many', async () => {
  await site.agent([target.entry])
  for (let round = 0; round < 12; round++) {
    const streams = await Promise.all(Array.from({ length: 128 }, () => site.route(plant).open('127.0.0.1', target.port)))
    for (const stream of streams) stream.destroy()
    // The agent has closed them, too.
    await expect.poll(() => target.sockets.every(({ destroyed }) => destroyed)).toBe(true)
  }
})
