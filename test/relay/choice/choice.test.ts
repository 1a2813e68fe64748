import { expect, test } from 'vitest'
import { systemIds } from '../../../runtime/config/index.ts'
import { TunnelClient } from '../../../runtime/relay/hub/tunnel-client.ts'
import { Ways } from '../../../runtime/relay/hub/ways.ts'
import { noOthers } from '../../../runtime/relay/index.ts'
import { Heartbeat } from '../../../runtime/relay/link/heartbeat.ts'
import { readFrame, Tunnel, TunnelLost, writeFrame } from '../../../runtime/relay/link/index.ts'
import { Neighbours, type Notice, secretOf } from '../../../runtime/relay/neighbours/index.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'
import { eachTest } from '../support/each-test.ts'
import { plant, type Site } from '../support/site.ts'
import { socketPair } from '../support/socket-pair.ts'
import type { Target } from '../support/target.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/* Which of several agents a call goes through. */

let site: Site
let target: Target
eachTest((...made) => {
  ;[site, target] = made
})

const open = (): Promise<unknown> => site.route(plant).open('127.0.0.1', target.port)
const measured = (): Promise<void> => expect.poll(() => site.roster.all.every((agent) => agent.status().roundTrip !== null)).toBe(true)

test('an agent that hangs gets no calls as long as another one answers', async () => {
  const frozen = await site.agent([target.entry])
  const other = await site.agent([target.entry])
  await measured()
  let opens = 0
  frozen.socket.on('message', (data: Buffer) => {
    if (readFrame(data)?.type === 'open') opens += 1
  })
  frozen.socket.pause()
  const first = open()
  site.clock.advance(1_000)
  // It goes to the other one.
  await first
  for (let count = 0; count < 6; count++) await open()
  expect([opens, other.log.length]).toEqual([0, 7])
  // It wakes up, is told that nobody waits for the first call any more, and counts again.
  frozen.socket.resume()
  await expect.poll(() => site.roster.all.some(({ silent }) => silent)).toBe(false)
  await open()
  expect([opens, other.log.length]).toEqual([2, 7])
  await expect.poll(() => site.roster.all.map(({ streams }) => streams)).toEqual([1, 7])
})

test('a call that waits for a silent end gives up after a second if others can be asked, and otherwise waits', async () => {
  const { wire } = await socketPair()
  const clock = new ManualClock()
  const client = new TunnelClient(wire, clock, { advised: false })
  const to = { host: '192.0.2.1', port: 443, agent: 'plant' }
  const [impatient, patient] = [client.connect({ ...to, silent: 'never' }), client.connect({ ...to, silent: 'last' })]
  const ends: string[] = []
  impatient.catch(({ name }) => ends.push(`impatient: ${name}`))
  patient.catch(({ code }) => ends.push(`patient: ${code}`))
  clock.advance(999)
  await turn()
  expect(ends).toEqual([])
  clock.advance(1)
  await turn()
  expect(ends).toEqual(['impatient: TunnelSilent'])
  expect(client.streams).toBe(1)
  client.cut()
  await expect(patient).rejects.toBeInstanceOf(TunnelLost)
})

test('the only agent is asked even if it hangs', async () => {
  const { socket } = await site.agent([target.entry])
  await measured()
  socket.pause()
  const first = open()
  site.clock.advance(1_000)
  await turn()
  expect(site.online.silent).toBe(true)
  const second = open()
  socket.resume()
  await Promise.all([first, second])
})

test('an agent that answers again while other processes are asked is asked, too', async () => {
  const { socket } = await site.agent([target.entry])
  await measured()
  socket.pause()
  const first = open()
  site.clock.advance(1_000)
  await turn()
  expect(site.online.silent).toBe(true)
  const asked = Promise.withResolvers<void>()
  const notices = Promise.withResolvers<readonly Notice[]>()
  const others = (): Promise<readonly Notice[]> => {
    asked.resolve()
    return notices.promise
  }
  const neighbours = new Neighbours({ directory: { ...noOthers, others }, secret: secretOf('x'), clock: site.clock, ids: systemIds })
  const second = new Ways(site.roster, neighbours).route(plant).open('127.0.0.1', target.port)
  await asked.promise
  socket.resume()
  await first
  expect(site.online.silent).toBe(false)
  notices.resolve([])
  await expect(second).resolves.toBeDefined()
})

test('an agent whose answer came while this process was busy is not silent', async () => {
  const clock = new ManualClock()
  let silent = 0
  const heartbeat = new Heartbeat(clock, {
    ask() {},
    silent: () => {
      silent += 1
    },
    lost() {},
  })
  heartbeat.check()
  // Timers run first. Then the process reads what has come.
  clock.advance(1_000)
  heartbeat.heard()
  await turn()
  expect([heartbeat.silent, silent]).toEqual([false, 0])
  heartbeat.check()
  clock.advance(1_000)
  await turn()
  expect([heartbeat.silent, silent]).toEqual([true, 1])
  heartbeat.stop()
})

test('a write to an agent that hangs makes its idle connections end', async () => {
  const { socket } = await site.agent([target.entry])
  const [busy, idle] = [await site.route(plant).open('127.0.0.1', target.port), await site.route(plant).open('127.0.0.1', target.port)]
  await measured()
  // What was asked when the streams were opened is answered.
  site.clock.advance(1_000)
  await turn()
  site.clock.advance(1_000)
  await turn()
  await expect.poll(() => site.online.silent).toBe(false)
  const told: string[] = []
  idle.on('leaving', () => told.push('idle'))
  socket.pause()
  busy.write('a request')
  site.clock.advance(999)
  await turn()
  expect(told).toEqual([])
  site.clock.advance(1)
  await turn()
  expect(told).toEqual(['idle'])
})

test('an agent is asked whether it answers once a second at most, however much it is used', async () => {
  const { wire, peer } = await socketPair()
  const clock = new ManualClock()
  let pings = 0
  peer.on('message', (data: Buffer) => {
    if (data[0] === 9) peer.send(writeFrame({ type: 'pong' }))
    if (data[0] === 9) pings += 1
  })
  const tunnel = new Tunnel(wire, { opens: true }, clock)
  await expect.poll(() => tunnel.roundTrip).not.toBeNull()
  for (let second = 1; second <= 5; second++) {
    for (let count = 0; count < 1_000; count++) tunnel.expect()
    await expect.poll(() => pings).toBe(1 + second)
    clock.advance(1_000)
    await turn()
  }
  expect(tunnel.silent).toBe(false)
})

test('if the allow-list of one agent does not have the target, another agent of the name connects', async () => {
  const narrow = await site.agent(['10.1.2.3:443'])
  const wide = await site.agent([target.entry])
  for (let count = 0; count < 4; count++) await open()
  expect(wide.log).toHaveLength(4)
  expect(narrow.log.every((line) => line.endsWith('not on the allow-list'))).toBe(true)
})

test('if no agent of the name can connect, each was asked once, and the error names what each said', async () => {
  const { port } = target
  await target.close()
  const agents = [await site.agent(['10.1.2.3:443']), await site.agent([`127.0.0.1:${port}`])]
  const [first, second] = site.roster.all.map(({ arrival }) => arrival.agent.id)
  const failure = await site
    .route(plant)
    .open('127.0.0.1', port)
    .catch((error: Error) => error)
  // What may pass is what counts.
  expect(failure).toMatchObject({ code: 'network', systemCode: 'ECONNREFUSED' })
  expect((failure as Error).message).toContain(`${first}: The allow-list of the remote agent plant does not have 127.0.0.1:${port}.`)
  expect((failure as Error).message).toContain(`${second}: The remote agent plant could not connect to 127.0.0.1:${port} (ECONNREFUSED)`)
  expect(agents.map(({ log }) => log)).toEqual([[`127.0.0.1:${port} not on the allow-list`], [`127.0.0.1:${port} ECONNREFUSED`]])
})

test('an agent of another name or owner is never asked', async () => {
  const { log } = await site.agent([target.entry], { organization: null, name: 'other' })
  await site.agent(['10.1.2.3:443'])
  await expect(open()).rejects.toMatchObject({ code: 'agent_refused' })
  expect(log).toEqual([])
})
