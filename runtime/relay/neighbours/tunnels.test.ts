import { expect, test } from 'vitest'
import type { TunnelClient } from '../hub/tunnel-client.ts'
import { TunnelLost } from '../link/index.ts'
import { Tunnels } from './tunnels.ts'

/* Which of several processes with an agent a call goes to. */

interface Process {
  streams: number
  silent: boolean
  draining: boolean
}

/** Processes by address. One that is not there cannot be dialed. */
class Played {
  readonly processes = new Map<string, Process>()
  readonly dialed: string[] = []
  readonly failed = new Set<string>()
  readonly tunnels = new Tunnels(async (address) => {
    this.dialed.push(address)
    const found = this.processes.get(address)
    if (!found) throw new TunnelLost()
    return Object.assign(found, { gone: new Promise<void>(() => {}) }) as unknown as TunnelClient
  })

  add(address: string, streams: number): Process {
    const made = { streams, silent: false, draining: false }
    this.processes.set(address, made)
    return made
  }

  /** Returns the address that a call goes to. Each has so many agents. */
  async choose(agents: Readonly<Record<string, number>>, silent: 'last' | 'never' = 'never'): Promise<string | null> {
    const left = new Map(Object.entries(agents))
    await this.tunnels.ready(left, this.failed)
    return this.tunnels.best(left, silent)?.address ?? null
  }

  /** Dials all of these, so that each has a tunnel. */
  async open(agents: Readonly<Record<string, number>>): Promise<void> {
    await this.choose(agents)
    await new Promise(setImmediate)
  }
}

test('the process that does least for each of its agents is the first', async () => {
  const played = new Played()
  const [a, b] = [played.add('a', 4), played.add('b', 5)]
  await played.open({ a: 1, b: 1 })
  expect(await played.choose({ a: 1, b: 1 })).toBe('a')
  expect(await played.choose({ a: 1, b: 2 })).toBe('b')
  a.streams = 6
  b.streams = 6
  b.silent = true
  expect(await played.choose({ a: 1, b: 2 })).toBe('a')
  expect(played.dialed).toEqual(['a', 'b'])
})

test('a process that is silent is not asked, or comes last', async () => {
  const played = new Played()
  played.add('a', 0).silent = true
  await played.open({ a: 1 })
  expect(await played.choose({ a: 1 })).toBeNull()
  expect(await played.choose({ a: 1 }, 'last')).toBe('a')
  played.add('b', 9)
  await played.open({ a: 1, b: 1 })
  expect(await played.choose({ a: 1, b: 1 })).toBe('b')
  expect(await played.choose({ a: 1, b: 1 }, 'last')).toBe('b')
})

test('an address that could not be dialed comes after all others for a while, and is dialed when there is no other', async () => {
  const played = new Played()
  expect(await played.choose({ gone: 1 })).toBeNull()
  expect([...played.failed]).toEqual(['gone'])
  played.add('a', 9)
  expect(await played.choose({ gone: 1, a: 1 })).toBe('a')
  expect(played.dialed).toEqual(['gone', 'a'])
  played.add('gone', 0)
  expect(await played.choose({ gone: 1 })).toBe('gone')
})

test('a process that takes no more streams is dialed again, and not asked if it takes none then either', async () => {
  const played = new Played()
  const a = played.add('a', 0)
  await played.open({ a: 1 })
  a.draining = true
  expect(await played.choose({ a: 1 })).toBeNull()
  expect(played.dialed).toEqual(['a', 'a'])
  played.add('a', 0)
  expect(await played.choose({ a: 1 })).toBe('a')
})
