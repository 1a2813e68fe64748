import { describe, expect, test } from 'vitest'
import { type Alert, type CaseUuid, tokensOf } from '../../../../runtime/domain/index.ts'
import type { AlertConditions, AlertPosition } from '../../../../runtime/storage/index.ts'
import {
  claimOf,
  ended,
  everyone,
  insertOne,
  investigated,
  mustClaim,
  newAlert,
  newTenant,
  noon,
  numbersTo,
  openSession,
  type Tenant,
  uuid,
} from '../fixtures.ts'
import type { At } from '../harness.ts'

const containing = (text: string): AlertConditions => ({ contains: { text, words: tokensOf(text) } })

export function alertFilterCases(at: At): void {
  const page = { sort: 'created_at', after: null, limit: 100, preview: 0 } as const
  /** Returns the letters of the alerts in a list. The count must be the same. */
  async function found(tenant: Tenant, named: Readonly<Record<string, Pick<Alert, 'uuid'>>>, conditions: AlertConditions): Promise<string> {
    const { store } = at()
    const { items } = await store.alerts.list(everyone, { organizations: [tenant.id], ...conditions, ...page })
    const tally = await store.alerts.tally(everyone, { organizations: [tenant.id], ...conditions }, null, 1_000)
    expect(tally).toEqual({ matching: items.length, next: null })
    const letters = new Map(Object.entries(named).map(([letter, alert]) => [alert.uuid, letter]))
    return items
      .map((item) => letters.get(item.uuid) ?? '?')
      .sort()
      .join('')
  }

  describe('what an investigation made of them', () => {
    test('finished or not: an alert without a type is neither', async () => {
      const { store } = at()
      const tenant = newTenant()
      const named = {
        c: (await ended(store, tenant)).alert,
        f: (await ended(store, tenant, 'failed')).alert,
        r: (await investigated(store, tenant, newAlert(tenant))).alert,
        u: await insertOne(store, newAlert(tenant, { type: null })),
        w: await insertOne(store, newAlert(tenant)),
      }
      expect(await found(tenant, named, { finished: true })).toBe('cf')
      expect(await found(tenant, named, { finished: false })).toBe('rw')
      expect(await found(tenant, named, { finished: true, statuses: [20] })).toBe('f')
      expect(await found(tenant, named, { finished: false, statuses: [20] })).toBe('')
    })

    test('the playbook of the latest run', async () => {
      const { store } = at()
      const tenant = newTenant()
      const named = { r: (await investigated(store, tenant, newAlert(tenant))).alert, w: await insertOne(store, newAlert(tenant)) }
      expect(await found(tenant, named, { playbooks: ['phishing-reported', 'other'] })).toBe('r')
      expect(await found(tenant, named, { playbooks: ['other'] })).toBe('')
    })

    test('the case: its alerts, and what repeats them', async () => {
      const { store } = at()
      const tenant = newTenant()
      const session = await openSession(store)
      const fingerprint = { digest: tenant.code, within: 60_000 }
      const first = await insertOne(store, newAlert(tenant))
      const { run } = await mustClaim(store, { ...claimOf(first, session), fingerprint })
      const repeat = await insertOne(store, newAlert(tenant))
      expect(await store.runs.claim(everyone, { ...claimOf(repeat, session), fingerprint })).toEqual({ kind: 'duplicate' })
      const named = { d: repeat, f: first, o: (await investigated(store, tenant, newAlert(tenant))).alert }
      expect(await found(tenant, named, { case: run.case })).toBe('df')
      expect(await found(tenant, named, { case: run.case, statuses: [15] })).toBe('d')
      expect(await found(tenant, named, { case: uuid<CaseUuid>() })).toBe('')
    })
  })

  describe('contained text', () => {
    test.each([
      ['203.0.113.1', 'a'],
      ['203.0.113.10', 'b'],
      ['ANA@example.COM', 'a'],
      ['ana@example', 'a'],
      ['example.com ana', ''],
      ['http://x.example/%', 'b'],
      ['x_example', ''],
      ["it's", 'b'],
      ['"', ''],
      ['Ünï', 'b'],
    ])('%s', async (text, expected) => {
      const { store } = at()
      const tenant = newTenant()
      const named = {
        a: await insertOne(store, newAlert(tenant, { content: 'from 203.0.113.1 by Ana@Example.com, then 10' })),
        b: await insertOne(store, newAlert(tenant, { content: "203.0.113.10 http://x.example/% it's Ünï ana" })),
      }
      expect(await found(tenant, named, containing(text))).toBe(expected)
    })
  })

  describe('counts', () => {
    test('go on where the last one ended, newest first, and count each alert once', async () => {
      const { store } = at()
      const tenant = newTenant()
      await store.alerts.insert(
        everyone,
        numbersTo(23).map((index) => newAlert(tenant, { createdAt: noon + (index % 4), provider: index % 2 ? 'odd' : 'even' })),
      )
      const counts: number[] = []
      let after: AlertPosition | null = null
      do {
        const tally = await store.alerts.tally(everyone, { organizations: [tenant.id], providers: ['odd'] }, after, 5)
        counts.push(tally.matching)
        after = tally.next
      } while (after)
      expect(counts).toHaveLength(5)
      expect(counts.reduce((sum, count) => sum + count)).toBe(numbersTo(23).filter((index) => index % 2).length)
      expect(await store.alerts.tally(everyone, { organizations: [tenant.id], createdFrom: noon + 3 }, null, 100)).toEqual({
        matching: numbersTo(23).filter((index) => index % 4 === 3).length,
        next: null,
      })
    })
  })
}
