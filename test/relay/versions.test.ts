import { createPrivateKey } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { createAllowList, serveTunnel, signIn, systemNames } from '../../runtime/relay/agent/index.ts'
import { publicKeyOf } from '../../runtime/relay/link/index.ts'
import { ManualClock } from '../support/clocks/manual-clock.ts'
import { connectFrozenAgent } from './frozen/agent-1.ts'
import { openFrozenRuntime } from './frozen/runtime-1.ts'
import { plant, Site } from './support/site.ts'
import { Target } from './support/target.ts'

/* Both ends speak with the version of the other one before. */

let target: Target

beforeEach(async () => {
  target = await new Target().open()
})
afterEach(() => target.close())

test('the runtime works with an agent of the first release', async () => {
  const site = await openSite()
  const key = site.enrol()
  const chunks = await connectFrozenAgent(`ws://127.0.0.1:${site.port}/`, key, publicKeyOf(key), target.port)
  await expect.poll(() => site.roster.all.length).toBe(1)
  await expect(site.route(plant).open('127.0.0.1', 1)).rejects.toMatchObject({ code: 'agent_refused' })
  const stream = await site.route(plant).open('127.0.0.1', target.port)
  stream.write('a read, ')
  stream.limit(site.clock.now() + 600_000)
  stream.end('a write')
  expect(await text(stream)).toBe('a read, a write')
  const [first, second, last] = chunks
  expect([first, last]).toEqual([
    { until: null, text: 'a read, ' },
    { until: null, text: '' },
  ])
  // By its own clock, which stood at 5,000. The runtime may set an earlier time than that of the write.
  expect(second?.text).toBe('a write')
  expect(second?.until).toBeGreaterThanOrEqual(9_000)
  expect(second?.until).toBeLessThan(600_000)
})

test('an agent of the first release takes no notice when the limit of a write is moved', async () => {
  const site = await openSite()
  const key = site.enrol()
  const chunks = await connectFrozenAgent(`ws://127.0.0.1:${site.port}/`, key, publicKeyOf(key), target.port)
  await expect.poll(() => site.roster.all.length).toBe(1)
  const stream = await site.route(plant).open('127.0.0.1', target.port)
  stream.limit(site.clock.now() + 600_000)
  stream.write('a large ')
  site.clock.advance(1_000)
  stream.end('write')
  expect(await text(stream)).toBe('a large write')
  expect(chunks.map((chunk) => chunk.text)).toEqual(['a large ', '', 'write', ''])
})

test('an agent works with a runtime of the first release, and says what it said then', async () => {
  const runtime = await openFrozenRuntime()
  onTestFinished(() => runtime.close())
  const seed = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)])
  const privateKey = createPrivateKey({ key: seed, format: 'der', type: 'pkcs8' })
  const socket = new WebSocket(runtime.url, ['tocsin-agent.1'])
  const { wire, name } = await signIn(socket, { privateKey, token: 'tsa_once', version: '9.9.9' })
  expect(name).toBe('plant')
  expect(await runtime.signIn).toMatchObject({
    type: 'sign_in',
    version: '9.9.9',
    public_key: '6kpsY-KcUgq-9VB7Ey7F-ZVHdq6-vnuSQh7qaRRG0iw',
    signature: '_TR3n7op0OC5VLpYZjO5d_ge5hSNLcZxmrzczCY1qbd7Tm9zfAW5t8bvFUpCjbJQj3cXgARH-frB6Zwfok14Aw',
    token: 'tsa_once',
  })
  let uptime = 1_234
  const tunnel = serveTunnel(wire, {
    names: systemNames,
    allow: createAllowList([target.entry]),
    clock: new ManualClock(),
    uptime: () => uptime,
    told: () => {},
  })
  onTestFinished(() => tunnel.cut())
  expect(await runtime.send(target.port)).toEqual({ answer: 'opened {"clock":1234}', body: 'hello', over: 'end' })
  expect(await runtime.send(1)).toEqual({ answer: 'refused {"code":"not_allowed"}', body: '', over: 'refused' })
  uptime = 123_457
  expect(await runtime.send(target.port)).toEqual({ answer: 'opened {"clock":123457}', body: '', over: 'reset' })
  expect(target.heard).toBe('hello')
})

async function openSite(): Promise<Site> {
  const site = new Site()
  await site.open()
  onTestFinished(() => site.close())
  return site
}
