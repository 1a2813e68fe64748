import { expect, test } from 'vitest'
import { delayAfter, SignInRefused, type StayDeps, stayConnected } from '../../../runtime/relay/agent/index.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'

/* How an agent keeps its tunnels, and when it tries again. */

test('the wait between tries doubles up to ten seconds, and half of it is random', () => {
  expect([1, 2, 3, 5, 6, 1_000].map((failures) => delayAfter(failures, 1))).toEqual([500, 1_000, 2_000, 8_000, 10_000, 10_000])
  expect(delayAfter(6, 0)).toBe(5_000)
})

/** An agent whose connections a test plays. */
function played(outcomes: (() => Promise<never> | 'open')[], most = 1) {
  const clock = new ManualClock()
  const stopping = new AbortController()
  const tunnels: { cut: () => void; goElsewhere: () => void; drained: boolean; ended: boolean }[] = []
  const lines: string[] = []
  const tries: number[] = []
  const serve: StayDeps['serve'] = () => {
    const [gone, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const cut = (): void => {
      one.ended = true
      gone.resolve()
    }
    const one = { cut, goElsewhere: left.resolve, drained: false, ended: false }
    tunnels.push(one)
    return {
      gone: gone.promise,
      left: left.promise,
      cut,
      leave() {
        one.drained = true
      },
    }
  }
  const connectOnce = async () => {
    tries.push(clock.now() - 1_800_000_000_000)
    const next = outcomes[tries.length - 1]?.() ?? 'open'
    if (next !== 'open') return next
    return { wire: null as never, name: 'plant', version: '1' }
  }
  const run = stayConnected({ clock, random: () => 1, log: (line) => lines.push(line), tunnels: most, connect: connectOnce, serve }, stopping.signal)
  const turn = (): Promise<void> => new Promise(setImmediate)
  const pass = async (time: number): Promise<void> => {
    for (let at = 0; at < time; at += 500) {
      await turn()
      clock.advance(500)
    }
    await turn()
  }
  return { clock, stopping, tunnels, lines, tries, run, turn, pass }
}

test('the agent tries again for ever, and waits longer after a refusal', async () => {
  const fail = () => Promise.reject(new Error('no route'))
  const refuse = () => Promise.reject(new SignInRefused('agent_revoked', 'revoked'))
  const { clock, stopping, lines, tries, run, turn } = played([fail, fail, refuse, fail])
  for (let count = 0; count < 200; count++) {
    await turn()
    clock.advance(500)
  }
  expect(tries).toEqual([0, 500, 1_500, 61_500, 65_500])
  expect(lines).toContain('the platform refuses this agent')
  stopping.abort()
  await turn()
  clock.advance(25_000)
  await run
})

test('an agent that is asked to go elsewhere opens another tunnel before the old one ends', async () => {
  const { clock, stopping, tunnels, run, turn } = played([])
  await turn()
  tunnels[0]?.goElsewhere()
  await turn()
  clock.advance(500)
  await turn()
  expect(tunnels).toHaveLength(2)
  stopping.abort()
  await turn()
  expect(tunnels.map(({ drained }) => drained)).toEqual([true, true])
  for (const tunnel of tunnels) tunnel.cut()
  await run
})

test('a planned restart of the platform costs half a second, also after a long outage', async () => {
  const fail = () => Promise.reject(new Error('no route'))
  const { clock, tunnels, tries, turn } = played([fail, fail, fail, fail, fail])
  while (tunnels.length === 0) {
    clock.advance(500)
    await turn()
  }
  const connected = tries.at(-1) ?? 0
  tunnels[0]?.goElsewhere()
  await turn()
  clock.advance(500)
  await turn()
  expect(tries.at(-1)).toBe(connected + 500)
})

test('a tunnel that stood for a few seconds is opened again at once, however often it is lost', async () => {
  const { clock, tunnels, tries, turn } = played([])
  await turn()
  for (let count = 0; count < 10; count++) {
    clock.advance(6_000)
    tunnels.at(-1)?.cut()
    await turn()
    clock.advance(500)
    await turn()
  }
  expect(tries).toEqual(Array.from({ length: 11 }, (_, at) => at * 6_500))
  // One that ends at once, again and again, is opened less often.
  for (let count = 0; count < 200; count++) {
    tunnels.at(-1)?.cut()
    await turn()
    clock.advance(500)
    await turn()
  }
  // In these 100 seconds: soon at first, then every ten.
  expect(tries.length).toBeLessThanOrEqual(11 + 5 + 100 / 10)
})

test('a platform that asks the agent to go elsewhere again and again gets a few tunnels, not ever more', async () => {
  const { clock, tunnels, turn } = played([])
  await turn()
  for (let count = 0; count < 10; count++) {
    clock.advance(31_000)
    tunnels.at(-1)?.goElsewhere()
    await turn()
    clock.advance(500)
    await turn()
  }
  expect(tunnels.filter(({ ended }) => !ended)).toHaveLength(4)
})

test('the agent keeps four tunnels, opens one after the other, and replaces one that is lost', async () => {
  const { tunnels, tries, pass } = played([], 4)
  await pass(60_000)
  expect(tries).toEqual([0, 500, 1_000, 1_500])
  tunnels[1]?.cut()
  await pass(500)
  tunnels[2]?.goElsewhere()
  await pass(60_000)
  expect(tries.slice(4)).toEqual([60_500, 61_000])
  expect(tunnels.map(({ ended }) => ended)).toEqual([false, true, false, false, false, false])
})

test('four tunnels that are lost together are one loss, and without any the agent tries no more often than for one', async () => {
  const fail = () => Promise.reject(new Error('no route'))
  const { tunnels, tries, pass } = played([], 4)
  await pass(1_500)
  for (const tunnel of tunnels) tunnel.cut()
  await pass(500)
  // Half a second after the loss, as for the first tunnel that ends soon.
  expect(tries).toEqual([0, 500, 1_000, 1_500, 2_000])
  const alone = played([fail, fail, fail, fail], 4)
  for (let count = 0; count < 40; count++) {
    await alone.turn()
    alone.clock.advance(500)
  }
  expect(alone.tries.slice(0, 5)).toEqual([0, 500, 1_500, 3_500, 7_500])
})

test('an agent that stops lets open streams end, for a limited time', async () => {
  const { clock, stopping, tunnels, run, turn } = played([])
  await turn()
  stopping.abort()
  await turn()
  expect(tunnels[0]?.drained).toBe(true)
  clock.advance(25_000)
  await run
})
