import { type AddressInfo, connect, createServer } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type AgentId, asId } from '../../runtime/domain/index.ts'
import type { Directory } from '../../runtime/relay/index.ts'
import type { Notice } from '../../runtime/relay/neighbours/index.ts'
import { readNotice } from '../../runtime/relay/neighbours/notice.ts'
import { ManualClock } from '../support/clocks/manual-clock.ts'
import { openUnhurriedStore } from '../support/stores/unhurried-store.ts'
import { Member } from './support/member.ts'
import { Target } from './support/target.ts'

/* Somebody who may write into Redis, and has no vault key. */

let clock: ManualClock
let target: Target
let holder: Member
/** What the holder of the agent has told last. */
let told: Notice

beforeEach(async () => {
  clock = new ManualClock()
  target = await new Target().open()
  const directory: Directory = {
    publish(notice) {
      told = notice
    },
    others: async () => [],
    close: async () => {},
  }
  holder = await new Member({ store: openUnhurriedStore(clock), clock, directory }).open()
  await holder.agent('plant', [target.entry])
  await expect.poll(() => told.agents.length).toBe(1)
})
afterEach(async () => {
  await holder.close()
  await target.close()
})

/** Calls through the agent from a process that finds these notices in Redis. */
async function call(notices: readonly Notice[]): Promise<unknown> {
  const directory: Directory = { publish() {}, others: async () => notices, close: async () => {} }
  const worker = await new Member({ store: openUnhurriedStore(clock), clock, directory }).open()
  onTestFinished(() => worker.close())
  return worker.relay.route({ organization: null, remoteAgent: 'plant' })?.open('127.0.0.1', target.port)
}

test('who is dialed in place of a process cannot pass the proof of one on to the other', async () => {
  await call([told])
  let passed = 0
  const thief = createServer((socket) => {
    passed += 1
    const onward = connect(Number(new URL(told.address).port), '127.0.0.1')
    for (const each of [socket, onward]) each.on('error', () => {})
    socket.pipe(onward).pipe(socket)
  })
  await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void thief.close())
  const address = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`
  await expect(call([{ ...told, address }])).rejects.toMatchObject({ code: 'agent_offline' })
  expect(passed).toBe(1)
  expect(target.sockets).toHaveLength(1)
})

test('a process that is not there does not keep a call from the one that is', async () => {
  await call([{ ...told, address: 'http://127.0.0.1:1' }, told])
})

test('however many addresses nobody listens at, a call finds the process that is there', async () => {
  const gone = Array.from({ length: 40 }, (_, at) => ({ ...told, address: `http://127.0.0.1:${at + 1}` }))
  await call([...gone, told])
})

test('addresses that take a connection and stay silent do not hold up a call', async () => {
  const silent = createServer((socket) => void socket.on('error', () => {}))
  await new Promise<void>((resolve) => silent.listen(0, resolve))
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as AddressInfo
  // The clock stands still, so none of them is given up.
  const notices = Array.from({ length: 10 }, (_, at) => ({ ...told, address: `http://127.0.0.${at + 1}:${port}` }))
  await call([...notices, told])
})

const agent = { id: asId<AgentId>('a'), name: 'plant', organization: null }
const status = {
  version: '1',
  since: 1,
  address: '192.0.2.1',
  draining: false,
  streams: 0,
  opened: 0,
  sent: 0,
  received: 0,
  roundTrip: null,
  lastError: { at: 1, message: 'no' },
}
const notice = { address: 'http://10.0.0.5:8080', agents: [{ agent, status }] }

test('what a process tells is read as it was told', () => {
  expect(readNotice(JSON.stringify(notice))).toEqual(notice)
  expect(readNotice(JSON.stringify(told))).toEqual(told)
})

test.each([
  ['no JSON', '{"address":'],
  ['null', 'null'],
  ['an address that is none', { ...notice, address: 'file:///etc/passwd' }],
  ['an address with a path', { ...notice, address: 'http://10.0.0.5/latest/meta-data' }],
  ['an address with a password', { ...notice, address: 'http://a:b@10.0.0.5' }],
  ['a number for agents', { ...notice, agents: 5 }],
  ['an agent without an id', { ...notice, agents: [{ agent: { ...agent, id: null }, status }] }],
  ['a status of the wrong type', { ...notice, agents: [{ agent, status: { ...status, streams: {} } }] }],
  ['an error of the wrong type', { ...notice, agents: [{ agent, status: { ...status, lastError: 'no' } }] }],
  ['a very long text', { ...notice, agents: [{ agent, status: { ...status, version: 'x'.repeat(2_000) } }] }],
])('%s in Redis is passed over', (_what, value) => {
  expect(readNotice(typeof value === 'string' ? value : JSON.stringify(value))).toBeNull()
})
