import { expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import { asId, type Digest } from '../../domain/index.ts'
import { digestOf } from '../../yaml/index.ts'
import type { ActiveText } from '../versions/active.ts'
import { aroundOf } from './around.ts'
import { localChecks } from './local.ts'
import { Outlines } from './outlines.ts'

const work = { owner: 'acme', plugins: new Map() }
const sub = (name: string, runs: readonly string[], more = ''): string =>
  `format: 1\nplaybook: ${name}\nsteps:\n${runs.map((run) => `  - { id: ${run}, playbook: ${run} }\n`).join('')}${more}`

/** Sub-playbooks with these texts, all active. */
function around(texts: Readonly<Record<string, string>>, runs: readonly string[]) {
  const byDigest = new Map(Object.values(texts).map((text) => [digestOf(text), text]))
  const subs = new Map(
    Object.entries(texts).map(([name, text]): [string, ActiveText] => {
      const place = { kind: 'sub_playbook', organization: null, key: name } as const
      return [name, { place, digest: digestOf(text), file: `${name}.yaml` } as ActiveText]
    }),
  )
  const active = { textOf: async (digest: Digest) => byDigest.get(asId<Digest>(digest)) ?? null }
  return aroundOf(runs, subs, active, new Outlines(localChecks, new ManualClock()), work)
}

test('reads the sub-playbooks that a text runs, directly or through others, and only lists the names of all others', async () => {
  const { sources, names, excess } = await around({ a: sub('a', ['b']), b: sub('b', ['a']), c: sub('c', []) }, ['a', 'nowhere'])
  expect([...sources.keys()]).toEqual(['a', 'b'])
  expect([names, excess]).toEqual([['a', 'b', 'c'], null])
})

test('a playbook may run a hundred others, but not one more', async () => {
  const chain = (length: number) => Object.fromEntries(Array.from({ length }, (_, at) => [`p${at}`, sub(`p${at}`, [`p${at + 1}`])]))
  expect((await around(chain(100), ['p0'])).sources.size).toBe(100)
  expect(await around(chain(101), ['p0'])).toMatchObject({ sources: new Map(), excess: expect.stringContaining('at most 100 others') })
})

test('the others may not have more than two million characters together', async () => {
  const large = (name: string) => sub(name, [], `# ${'x'.repeat(450_000)}\n`)
  const five = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, large(name)]))
  expect((await around(five, ['a', 'b', 'c', 'd'])).sources.size).toBe(4)
  expect(await around(five, ['a', 'b', 'c', 'd', 'e'])).toMatchObject({ excess: expect.stringContaining('at most 2000000 characters') })
})
