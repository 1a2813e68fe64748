import { expect, test } from 'vitest'
import { newShare } from '../../../runtime/relay/agent/index.ts'
import { requestWindow } from '../../../runtime/relay/link/index.ts'
import { Window } from '../../../runtime/relay/link/window.ts'
import { eachTest } from '../support/each-test.ts'
import { plant, type Site } from '../support/site.ts'
import type { Target } from '../support/target.ts'

/* An agent keeps several tunnels to one process. */

let site: Site
let target: Target
eachTest((...made) => {
  ;[site, target] = made
})

const open = () => site.route(plant).open('127.0.0.1', target.port)
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** An agent with so many tunnels. */
async function agentOf(tunnels: number) {
  const [key, share] = [site.enrol(), newShare()]
  const all = []
  for (let count = 0; count < tunnels; count++) all.push(await site.tunnel([target.entry], key, share))
  return all
}

const streams = (): readonly number[] => site.roster.all.map((agent) => agent.streams)

test('the streams of an agent spread over its tunnels', async () => {
  await agentOf(4)
  for (let count = 0; count < 8; count++) await open()
  expect(streams()).toEqual([2, 2, 2, 2])
})

test('agents share calls equally, however many tunnels each has', async () => {
  await agentOf(4)
  await agentOf(1)
  for (let count = 0; count < 8; count++) await open()
  expect(streams()).toEqual([1, 1, 1, 1, 4])
})

test('an agent that loses one tunnel loses the streams of that one only, and goes on with the others', async () => {
  const [first] = await agentOf(2)
  const cut: number[] = []
  const opened = [await open(), await open()]
  for (const [at, stream] of opened.entries()) stream.on('error', () => cut.push(at))
  first?.socket.terminate()
  await expect.poll(() => cut).toEqual([0])
  await open()
  expect(streams()).toEqual([2])
})

test('an agent that hangs costs a call one wait, however many tunnels it has', async () => {
  const frozen = await agentOf(4)
  await expect.poll(() => site.roster.all.every((agent) => agent.status().roundTrip !== null)).toBe(true)
  const [other] = await agentOf(1)
  for (const { socket } of frozen) socket.pause()
  const first = open()
  await turn()
  site.clock.advance(1_000)
  await first
  expect(other?.log).toHaveLength(1)
  expect(site.roster.all.map(({ silent }) => silent)).toEqual([true, true, true, true, false])
})

test('when one tunnel of an agent hangs, its others are used', async () => {
  const [frozen] = await agentOf(3)
  await expect.poll(() => site.roster.all.every((agent) => agent.status().roundTrip !== null)).toBe(true)
  const measured = site.roster.all.map((agent) => agent.status().roundTrip)
  frozen?.socket.pause()
  const first = open()
  // The call has the others asked, too, and they answer.
  await expect.poll(() => site.roster.all.map((agent, at) => agent.status().roundTrip === measured[at])).toEqual([true, false, false])
  site.clock.advance(1_000)
  await first
  expect(streams().slice(1)).toEqual([1, 0])
})

test('a revoked agent loses all of its tunnels', async () => {
  const revoked = await agentOf(3)
  const [other] = await agentOf(1)
  const [one] = site.roster.all
  if (one) site.roster.cut(one.arrival.agent.id)
  await Promise.all(revoked.map(({ tunnel }) => tunnel.gone))
  await expect.poll(() => site.roster.all).toHaveLength(1)
  await open()
  expect(other?.log).toHaveLength(1)
})

test('whoever poses as the runtime gets no more connections with several tunnels', async () => {
  await agentOf(3)
  const outcomes: unknown[] = await Promise.all(
    Array.from({ length: 3 * 256 }, () =>
      open().then(
        () => 'opened',
        ({ code }: { code: unknown }) => code,
      ),
    ),
  )
  const count = (outcome: string): number => outcomes.filter((one) => one === outcome).length
  expect([count('opened'), count('agent_busy')]).toEqual([512, 256])
})

test('the windows of all tunnels of an agent grow within one limit', async () => {
  const share = newShare()
  const key = site.enrol()
  for (let count = 0; count < 2; count++) await site.tunnel([target.entry], key, share)
  const grown = share.growth
  const { most, first, growth } = requestWindow
  const sent = Buffer.alloc(4 * most)
  const streamsThatGrow = Math.ceil(growth / (most - first)) + 2
  for (let count = 0; count < streamsThatGrow; count++) {
    const stream = await open()
    let back = 0
    await new Promise<void>((resolve) => {
      stream.on('data', (bytes: Buffer) => {
        back += bytes.length
        if (back === sent.length) resolve()
      })
      stream.write(sent)
    })
  }
  // Both tunnels have taken from it. What is left is less than one more step of a window.
  expect(grown.take(growth, new Window(requestWindow, grown, () => {}))).toBe(false)
})
