import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock, systemIds } from '../../runtime/config/index.ts'
import { type AgentId, asId, systemScope } from '../../runtime/domain/index.ts'
import { NamedHints } from '../../runtime/hints/index.ts'
import { type Directory, noOthers, openRedisDirectory } from '../../runtime/relay/index.ts'
import { readFrame } from '../../runtime/relay/link/index.ts'
import type { Notice } from '../../runtime/relay/neighbours/index.ts'
import { RedisServer, redisServerOnPath } from '../support/stores/redis-server.ts'
import { until } from '../support/until.ts'
import { eachInstallation, type Installation, routeOf, store } from './support/installation.ts'
import { Member } from './support/member.ts'
import type { Target } from './support/target.ts'

/* The agent has its tunnel to one process, and another process calls through it. */

let site: Installation
let target: Target
eachInstallation((made) => {
  site = made
  target = made.target
})

/** Resolves when a process has told that it has an agent. */
const agentTold = () => expect.poll(() => [...site.told.values()].some(({ agents }) => agents.length > 0)).toBe(true)

/** Returns how often other processes have dialed this one. */
const neighbours = ({ dialed }: Member) => dialed.filter((offered) => offered.startsWith('tocsin-neighbour')).length

test('a process reaches the agent that is connected to another one, with all bytes in both directions', async () => {
  const [holder, worker] = [await site.member(), await site.member()]
  const { id } = await holder.agent('plant', [target.entry])
  await site.opened(worker)
  const streams = await Promise.all(Array.from({ length: 20 }, () => routeOf(worker).open('127.0.0.1', target.port)))
  const echoed = await Promise.all(
    streams.map((stream, at) => {
      stream.end(`${at} `.repeat(50_000))
      return buffer(stream)
    }),
  )
  expect(echoed.map(String)).toEqual(streams.map((_, at) => `${at} `.repeat(50_000)))
  // The other process shows it, too, as far as it was told.
  site.clock.advance(5_000)
  const { tunnels } = await until(async () => {
    const view = await worker.relay.agents.get(systemScope, asId<AgentId>(id))
    return view.tunnels.some(({ opened }) => opened === 21) && view
  })
  expect(tunnels).toMatchObject([{ version: '1.2.3', opened: 21 }])
})

test('many first calls to a process at once share one tunnel', async () => {
  const [holder, worker] = [await site.member(), await site.member()]
  await holder.agent('plant', [target.entry])
  await agentTold()
  await Promise.all(Array.from({ length: 30 }, () => routeOf(worker).open('127.0.0.1', target.port)))
  expect(neighbours(holder)).toBe(1)
})

test('many calls to a process that cannot be reached fail together, after one attempt', async () => {
  const [holder, worker] = [await site.member(), await site.member({ shared: 'another' })]
  await holder.agent('plant', [target.entry])
  await agentTold()
  const calls = Array.from({ length: 30 }, () =>
    expect(routeOf(worker).open('127.0.0.1', target.port)).rejects.toMatchObject({ code: 'agent_offline' }),
  )
  await Promise.all(calls)
  expect(neighbours(holder)).toBe(1)
})

test('a process that closes ends its tunnel to a process that stops, too', async () => {
  const holder = await site.member()
  await holder.agent('plant', [target.entry])
  await site.opened(await site.member())
  const before = [...site.told.values()]
  const worker = await site.member({ directory: { ...site.directory(), others: async () => before } })
  const stream = await site.opened(worker)
  holder.relay.leave()
  // It takes no more streams, so the worker dials again, and is not let in.
  await until(async () => {
    await expect(routeOf(worker).open('127.0.0.1', target.port)).rejects.toMatchObject({ code: 'agent_offline' })
    return neighbours(holder) === 3
  })
  worker.relay.close()
  await expect(buffer(stream)).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('the errors of an agent are the same through another process', async () => {
  const [holder, worker] = [await site.member(), await site.member()]
  await expect(routeOf(worker).open('127.0.0.1', target.port)).rejects.toMatchObject({ code: 'agent_offline' })
  await holder.agent('plant', [target.entry, '127.0.0.1:1'])
  await site.opened(worker)
  await expect(routeOf(worker).open('127.0.0.1', 2)).rejects.toMatchObject({ code: 'agent_refused' })
  await expect(routeOf(worker).open('127.0.0.1', 1)).rejects.toMatchObject({ code: 'network', systemCode: 'ECONNREFUSED' })
})

test('if the agent of one process cannot connect, that of another process does', async () => {
  const [first, second, worker] = [await site.member(), await site.member(), await site.member()]
  await first.agent('plant', ['10.1.2.3:443'])
  await second.agent('plant', [target.entry])
  await site.opened(worker)
  await site.opened(first)
  const neither = routeOf(worker).open('127.0.0.1', 1)
  await expect(neither).rejects.toMatchObject({
    code: 'agent_refused',
    message: expect.stringMatching(/^2 were asked(.*another process of Tocsin: ){2}/),
  })
  // Addresses of the operator's network are not for tenants.
  await expect(neither).rejects.not.toMatchObject({ message: expect.stringMatching(/http/) })
})

/** Starts two processes that each have an agent, and another one that has a tunnel to both. */
async function twoHolders(): Promise<readonly [Member, Member, Member, id: AgentId]> {
  const [first, second, worker] = [await site.member(), await site.member(), await site.member()]
  const { id } = await first.agent('plant', [target.entry])
  await second.agent('plant', [target.entry])
  await until(async () => {
    const stream = await site.opened(worker)
    stream.destroy()
    return neighbours(first) === 1 && neighbours(second) === 1
  })
  return [first, second, worker, asId<AgentId>(id)]
}

/** Returns a counter of what the only agent of a process is asked to open from now on. */
function opensAt({ sockets: [socket] }: Member): () => number {
  let opens = 0
  socket?.on('message', (data: Buffer) => {
    if (readFrame(data)?.type === 'open') opens += 1
  })
  return () => opens
}

test('calls spread over the agents of several processes', async () => {
  const [first, second, worker] = await twoHolders()
  const counts = [opensAt(first), opensAt(second)]
  for (let count = 0; count < 10; count++) await site.opened(worker)
  expect(counts.map((count) => count())).toEqual([5, 5])
})

test('an agent that hangs gets no calls of other processes, as long as another process has one that answers', async () => {
  const [first, second, worker, id] = await twoHolders()
  const [hanging, other] = [opensAt(first), opensAt(second)]
  const [agent] = first.sockets
  // What was asked when streams were opened is answered.
  for (let second = 0; second < 2; second++) {
    site.clock.advance(1_000)
    await new Promise(setImmediate)
  }
  agent?.pause()
  // One of them waits for it, and then goes to the other process.
  const waiting = [1, 2].map(() => routeOf(worker).open('127.0.0.1', target.port))
  await expect.poll(() => first.relay.agents.get(systemScope, id).then(({ tunnels: [tunnel] }) => tunnel?.streams)).toBe(1)
  site.clock.advance(1_000)
  await Promise.all(waiting)
  for (let count = 0; count < 6; count++) await routeOf(worker).open('127.0.0.1', target.port)
  expect([hanging(), other()]).toEqual([0, 8])
  agent?.resume()
})

test('a write is not late through another process either', async () => {
  const [holder, worker] = [await site.member(), await site.member()]
  await holder.agent('plant', [target.entry])
  const stream = await site.opened(worker)
  holder.uptime += 60_000
  stream.limit(site.clock.now() + 30_000)
  stream.end('suspend the user')
  await expect(buffer(stream)).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(target.heard).toBe('')
})

test('the limit of a write is moved through another process, too', async () => {
  const [holder, worker] = [await site.member(), await site.member()]
  await holder.agent('plant', [target.entry])
  const stream = await site.opened(worker)
  let moved = 0
  holder.sockets[0]?.on('message', (data: Buffer) => {
    const frame = readFrame(data)
    if (frame?.type === 'data' && frame.bytes.length === 0 && frame.until !== null) moved += 1
  })
  stream.limit(site.clock.now() + 30_000)
  site.clock.advance(1_000)
  await expect.poll(() => moved).toBe(1)
})

test('an agent that disappears cuts the streams of other processes, which is never an ordinary end', async () => {
  const [holder, worker] = [await site.member(), await site.member()]
  const { tunnel } = await holder.agent('plant', [target.entry])
  const stream = await site.opened(worker)
  stream.write('half')
  await expect.poll(() => target.heard).toBe('half')
  tunnel.cut()
  await expect(buffer(stream)).rejects.toMatchObject({ code: 'ECONNRESET' })
  await expect(routeOf(worker).open('127.0.0.1', target.port)).rejects.toMatchObject({ code: 'agent_offline' })
})

test('when a process stops, its agents go to another one, and calls follow them', async () => {
  const [first, second, worker] = [await site.member(), await site.member(), await site.member()]
  const { tunnel, key } = await first.agent('plant', [target.entry])
  await site.opened(worker)
  first.relay.leave()
  await tunnel.left
  await second.connect(key, null, [target.entry])
  await site.opened(worker)
})

test('an agent that is revoked at one process is cut off at another one, at once', async () => {
  const revocations = new NamedHints(null, site.clock)
  const [holder, other] = [await site.member({ revocations }), await site.member({ revocations })]
  const { tunnel, id } = await holder.agent('plant', [target.entry])
  await other.relay.agents.revoke(systemScope, asId<AgentId>(id))
  // The clock stands still, so nobody has looked.
  await tunnel.gone
})

test('a process with another vault key is not let in, and does not let in', async () => {
  const [holder, stranger] = [await site.member(), await site.member({ shared: 'another' })]
  await holder.agent('plant', [target.entry])
  // Another process has heard of the agent, so the stranger hears of it, too.
  await site.opened(await site.member())
  await expect(routeOf(stranger).open('127.0.0.1', target.port)).rejects.toMatchObject({ code: 'agent_offline' })
  // Both others have dialed.
  expect(neighbours(holder)).toBe(2)
  expect(target.sockets).toHaveLength(1)
})

test('a process without others knows its own agents only', async () => {
  const [holder, worker] = [await site.member(), await site.member({ directory: noOthers })]
  await holder.agent('plant', [target.entry])
  await expect(routeOf(worker).open('127.0.0.1', target.port)).rejects.toMatchObject({ code: 'agent_offline' })
})

if (!redisServerOnPath) console.log('skipped: agents of other processes over Redis (redis-server is not on the PATH)')

describe.skipIf(!redisServerOnPath)('over Redis', () => {
  const holder = fileURLToPath(new URL('./support/holder.ts', import.meta.url))
  let redis: RedisServer
  let children: ChildProcess[] = []

  beforeEach(async () => {
    redis = await RedisServer.start()
  })
  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL')
    children = []
    await redis.remove()
  })

  const open = (): Promise<Directory> => openRedisDirectory({ url: redis.url, prefix: 'test', ids: systemIds })

  async function startHolder(): Promise<ChildProcess> {
    const child = spawn(process.execPath, [holder, redis.url, target.entry], { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    await once(child.stdout!, 'data')
    return child
  }

  test('a worker calls through the agent of another process; when that process is killed, the call is cut, and the next fails or goes elsewhere', async () => {
    const first = await startHolder()
    const own = await open()
    const worker = await new Member({ store, directory: own, clock: systemClock }).open()
    const openNow = () => routeOf(worker).open('127.0.0.1', target.port)
    const stream = await site.opened(worker)
    stream.write('in flight')
    await expect.poll(() => target.heard).toBe('in flight')
    first.kill('SIGKILL')
    await expect(buffer(stream)).rejects.toMatchObject({ code: 'ECONNRESET' })
    await expect(openNow()).rejects.toMatchObject({ code: 'agent_offline' })
    await startHolder()
    const next = await site.opened(worker)
    next.end('once')
    expect((await buffer(next)).toString()).toBe('once')
    expect(target.heard).toBe('in flightonce')
    await worker.close()
    await own.close()
  })

  test('what a process tells is heard by the others until it closes, and never by itself', async () => {
    const [one, two] = [await open(), await open()]
    const notice: Notice = { address: 'http://127.0.0.1:1', agents: [] }
    await until(async () => {
      one.publish(notice)
      return (await two.others()).length === 1
    })
    expect([await one.others(), await two.others()]).toEqual([[], [notice]])
    await one.close()
    expect(await two.others()).toEqual([])
    await two.close()
  })

  test('without Redis, a process hears nothing, at once or after its time limit, and does not fail', async () => {
    const one = await open()
    await redis.remove()
    one.publish({ address: 'http://127.0.0.1:1', agents: [] })
    expect(await one.others()).toEqual([])
    await one.close()
  })
})
