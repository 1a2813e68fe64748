import type { LookupAddress } from 'node:dns'
import { expect, test } from 'vitest'
import { type Lookup, Names } from '../../runtime/relay/agent/names.ts'
import { eachTest } from './support/each-test.ts'
import { plant, type Site } from './support/site.ts'
import type { Target } from './support/target.ts'

/* An agent resolves names itself, and does not trust the name servers. */

let site: Site
let target: Target
eachTest((...made) => {
  ;[site, target] = made
})

const ipv4 = (...all: string[]): LookupAddress[] => all.map((address) => ({ address, family: 4 }))
const open = (host: string) => site.route(plant).open(host, target.port)

/** Answers at once, each time with the next of the answers. Counts them. */
function answering(...answers: LookupAddress[][]): { readonly names: Names; readonly asked: string[] } {
  const asked: string[] = []
  const lookup: Lookup = (host, _options, found) => {
    asked.push(host)
    found(null, answers[asked.length - 1] ?? ipv4('192.0.2.1'))
  }
  return { names: new Names(lookup), asked }
}

test('a name that resolves to another address after the check is connected to at the address that was checked', async () => {
  const { names, asked } = answering(ipv4('127.0.0.1'), ipv4('127.0.0.2'))
  site.names = names
  await site.agent([`127.0.0.1/32:${target.port}`])
  const stream = await open('rebound.example')
  stream.write('hello')
  await expect.poll(() => target.heard).toBe('hello')
  expect(target.sockets.map(({ localAddress }) => localAddress)).toEqual(['127.0.0.1'])
  expect(asked).toEqual(['rebound.example'])
  // The next connection is checked anew.
  await expect(open('rebound.example')).rejects.toMatchObject({ code: 'agent_refused' })
})

test('a name is refused if one of its addresses is not allowed, whichever comes first', async () => {
  const own = ipv4('127.0.0.1')
  const { names } = answering(ipv4('127.0.0.1', '169.254.169.254'), ipv4('169.254.169.254', '127.0.0.1'), [
    ...own,
    { address: '::ffff:169.254.169.254', family: 6 },
  ])
  site.names = names
  await site.agent([`127.0.0.0/8:${target.port}`, `0.0.0.0/0:${target.port}`, `::/0:${target.port}`])
  for (let count = 0; count < 3; count++) await expect(open('mixed.example')).rejects.toMatchObject({ code: 'agent_refused' })
  expect(target.sockets).toEqual([])
})

test('names that are not answered are looked up once at a time, a limited number of them, and hold up nobody else', async () => {
  const asked = new Map<string, (error: Error | null, addresses: LookupAddress[]) => void>()
  let lookups = 0
  site.names = new Names((host, _options, found) => {
    lookups += 1
    asked.set(host, found)
  })
  await site.agent([target.entry, `127.0.0.1/32:${target.port}`])
  const standing = await open('127.0.0.1')
  const same = Array.from({ length: 50 }, () => open('slow.example'))
  await expect.poll(() => asked.size).toBe(1)
  const many = Promise.allSettled(Array.from({ length: 100 }, (_, at) => open(`slow-${at}.example`)))
  await expect.poll(() => asked.size).toBe(64)
  // What needs no name is not held up.
  standing.write('still here')
  await open('127.0.0.1')
  await expect.poll(() => target.heard).toBe('still here')
  asked.get('slow.example')?.(null, ipv4('127.0.0.1'))
  await Promise.all(same)
  expect(lookups).toBe(64)
  // The agent gives up those that are never answered. Those beyond the limit were refused at once.
  site.clock.advance(10_000)
  const codes = (await many).map((result) => result.status === 'rejected' && (result.reason as { systemCode?: string }).systemCode)
  expect([codes.filter((code) => code === 'EAI_AGAIN').length, codes.filter((code) => code === 'ETIMEDOUT').length]).toEqual([37, 63])
})
