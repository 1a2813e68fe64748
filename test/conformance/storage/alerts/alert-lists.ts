import { describe, expect, test } from 'vitest'
import { type Alert, asId, type OrganizationId } from '../../../../runtime/domain/index.ts'
import type { AlertQuery, Store } from '../../../../runtime/storage/index.ts'
import { ended, everyone, insertOne, investigated, newAlert, newTenant, noon, numbersTo, type Tenant } from '../fixtures.ts'
import type { At } from '../harness.ts'

function query(tenant: Tenant, parts: Partial<AlertQuery> = {}): AlertQuery {
  return { organizations: [tenant.id], sort: 'created_at', after: null, limit: 100, preview: 50, ...parts }
}

async function listed(store: Store, asked: AlertQuery): Promise<readonly Alert[]> {
  return (await store.alerts.list(everyone, asked)).items
}

/** Reads all pages, one after the other. Calls `between` after each page. */
async function allPages(store: Store, asked: AlertQuery, between: () => Promise<unknown> = async () => {}): Promise<string[]> {
  const found: string[] = []
  let after = asked.after
  for (;;) {
    const page = await store.alerts.list(everyone, { ...asked, after })
    found.push(...page.items.map(({ uuid }) => uuid))
    const last = page.items.at(-1)
    if (!page.more || !last) return found
    after = { createdAt: last.createdAt, uuid: last.uuid }
    await between()
  }
}

const inOrder = (alerts: readonly Alert[]): string[] =>
  [...alerts].sort((a, b) => a.createdAt - b.createdAt || (a.uuid < b.uuid ? -1 : 1)).map(({ uuid }) => uuid)

export function alertListCases(at: At): void {
  describe('order and pages', () => {
    test.each(['created_at', '-created_at'] as const)('%s: by creation time, then uuid; each alert once, while others are inserted', async (sort) => {
      const { store } = at()
      const tenant = newTenant()
      const batch = numbersTo(23).map((index) => newAlert(tenant, { createdAt: noon + (index % 4) }))
      const before = (await store.alerts.insert(everyone, batch)).map(({ alert }) => alert)
      const found = await allPages(store, query(tenant, { sort, limit: 4 }), () =>
        store.alerts.insert(
          everyone,
          [-1, 0, 1, 2, 3, 4].map((later) => newAlert(tenant, { createdAt: noon + later })),
        ),
      )
      const known = new Set(before.map(({ uuid }) => uuid as string))
      const expected = inOrder(before)
      expect(found.filter((uuid) => known.has(uuid))).toEqual(sort === 'created_at' ? expected : expected.reverse())
      expect(new Set(found).size).toBe(found.length)
    })

    test('more is true only if more alerts may follow', async () => {
      const { store } = at()
      const tenant = newTenant()
      await store.alerts.insert(everyone, [newAlert(tenant), newAlert(tenant)])
      expect(await store.alerts.list(everyone, query(tenant, { limit: 1 }))).toMatchObject({ more: true, items: [{}] })
      expect(await store.alerts.list(everyone, query(tenant, { limit: 2 }))).toMatchObject({ more: false, items: [{}, {}] })
    })

    test('items are the alerts, with their content cut to the preview', async () => {
      const { store } = at()
      const tenant = newTenant()
      const alert = await insertOne(store, newAlert(tenant, { content: '\u{1f4e7}ünï mail' }))
      expect(await listed(store, query(tenant, { preview: 4 }))).toEqual([{ ...alert, content: '\u{1f4e7}ünï' }])
      expect(await listed(store, query(tenant, { preview: 0 }))).toEqual([{ ...alert, content: '' }])
      expect(await listed(store, query(tenant, { preview: 900 }))).toEqual([alert])
    })
  })

  describe('filters', () => {
    test('organization, provider, type and status', async () => {
      const { store } = at()
      const tenant = newTenant()
      const other = newTenant()
      const a = await insertOne(store, newAlert(tenant, { provider: 'SIEM', type: 'Phishing ' }))
      const b = await insertOne(store, newAlert(tenant, { provider: 'edr', type: 'malware' }))
      const c = await insertOne(store, newAlert(other, { provider: 'edr', type: null }))
      const running = (await investigated(store, tenant, newAlert(tenant, { provider: 'x', type: 'y' }))).alert
      const both = { organizations: [tenant.id, other.id] }
      const names = new Map([a, b, c, running].map(({ uuid }, index) => [uuid, 'abcr'[index] ?? '']))
      const found = async (parts: Partial<AlertQuery>): Promise<string> => {
        const alerts = await listed(store, query(tenant, parts))
        return alerts
          .map(({ uuid }) => names.get(uuid) ?? '?')
          .sort()
          .join('')
      }
      expect(await found(both)).toBe('abcr')
      expect(await found({ providers: ['siem'] })).toBe('a')
      expect(await found({ ...both, providers: ['edr'] })).toBe('bc')
      expect(await found({ types: ['phishing'] })).toBe('a')
      expect(await found({ types: ['phishing', 'malware'] })).toBe('ab')
      expect(await found({ statuses: [10] })).toBe('r')
      expect(await found({ ...both, providers: ['edr'], types: ['malware'], statuses: [0] })).toBe('b')
      expect(await found({ organizations: [] })).toBe('')
      expect(await found({ organizations: [asId<OrganizationId>('0197a000-0000-7000-8000-0000000000ff')] })).toBe('')
    })

    test('created at or after a time, and before a time', async () => {
      const { store } = at()
      const tenant = newTenant()
      const alerts = await store.alerts.insert(
        everyone,
        [1, 2, 3].map((later) => newAlert(tenant, { createdAt: noon + later })),
      )
      const found = await listed(store, query(tenant, { createdFrom: noon + 2, createdTo: noon + 3 }))
      expect(found.map(({ uuid }) => uuid)).toEqual([alerts[1]?.alert.uuid])
      expect(await listed(store, query(tenant, { createdFrom: noon + 1 }))).toHaveLength(3)
      expect(await listed(store, query(tenant, { createdTo: noon + 1 }))).toHaveLength(0)
    })

    test('shows what an investigation changed', async () => {
      const { store } = at()
      const tenant = newTenant()
      const { alert, claimed } = await ended(store, tenant, 'failed')
      const { case: theCase, caseId } = claimed.run
      const expected = { uuid: alert.uuid, status: 20, investigator: 'phishing-reported', case: theCase, caseId, completedAt: noon + 99 }
      expect(await listed(store, query(tenant, { statuses: [20] }))).toMatchObject([expected])
    })
  })

  describe('free text', () => {
    /**
     * Which of three alerts have a token for the beginning of each word: `m` is a mail, `l` a logon, `u` an
     * alert in other scripts.
     */
    test.each([
      [['mal'], 'm'],
      [['malicious'], 'm'],
      [['maliciousness'], ''],
      [['licious'], ''],
      [['acme'], 'ml'],
      [['acme', 'mal'], 'm'],
      [['mal', 'acme'], 'm'],
      [['acme', 'xyz'], ''],
      [['10', '203'], 'l'],
      [['phishing'], 'm'],
      [['impossible'], 'l'],
      [['siem'], 'mlu'],
      [['strasse'], 'u'],
      [['über'], 'u'],
      [['u'], 'm'],
      [['пере'], 'u'],
      [['日本'], 'u'],
      [[], 'mlu'],
    ])('%j', async (words, expected) => {
      const { store } = at()
      const tenant = newTenant()
      const contents = {
        m: newAlert(tenant, { content: '{"url":"https://ACME.example/Malicious_page","user":"eve"}', type: 'Phishing' }),
        l: newAlert(tenant, { content: '{"host":"ws-12.acme.local","from":"203.0.113.10"}', type: 'impossible travel' }),
        u: newAlert(tenant, { content: 'Über die STRAßE: переслал 日本語', type: 'report' }),
      }
      await store.alerts.insert(everyone, Object.values(contents))
      const found = new Set((await listed(store, query(tenant, { words }))).map(({ uuid }) => uuid))
      const names = Object.entries(contents).filter(([, { uuid }]) => found.has(uuid))
      expect(names.map(([name]) => name).join('')).toBe(expected)
    })

    test('works together with other filters and with pages', async () => {
      const { store } = at()
      const tenant = newTenant()
      const batch = numbersTo(90).map((index) =>
        newAlert(tenant, { content: index % 3 === 0 ? 'needle in it' : 'hay', createdAt: noon + (index % 10), provider: index % 2 ? 'odd' : 'even' }),
      )
      const inserted = (await store.alerts.insert(everyone, batch)).map(({ alert }) => alert)
      const fitting = inserted.filter(({ content, provider }) => content.startsWith('needle') && provider === 'odd')
      expect(await allPages(store, query(tenant, { words: ['need', 'i'], providers: ['odd'], limit: 4 }))).toEqual(inOrder(fitting))
    })

    test('words that are both common but never in one alert find nothing, with any other filter', async () => {
      const { store } = at()
      const tenant = newTenant()
      const batch = numbersTo(150).map((index) =>
        newAlert(tenant, {
          content: `every ${index % 2 ? 'odd' : 'even'}`,
          createdAt: noon + (index % 7),
          type: index % 3 ? 'phishing' : 'two\nlines',
        }),
      )
      const inserted = (await store.alerts.insert(everyone, batch)).map(({ alert }) => alert)
      expect(await allPages(store, query(tenant, { words: ['every', 'odd', 'even'] }))).toEqual([])
      expect(await allPages(store, query(tenant, { words: ['every', 'odd'], statuses: [20] }))).toEqual([])
      expect(await allPages(store, query(tenant, { words: ['every'], organizations: [] }))).toEqual([])
      const fitting = inserted.filter(({ content, type }) => content.includes('odd') && type !== 'phishing')
      for (const sort of ['created_at', '-created_at'] as const) {
        const expected = sort === 'created_at' ? inOrder(fitting) : inOrder(fitting).toReversed()
        expect(await allPages(store, query(tenant, { words: ['ev', 'o'], types: ['two\nlines'], limit: 7, sort }))).toEqual(expected)
      }
    })

    test('finds an alert as soon as its insert is acknowledged', async () => {
      const { store } = at()
      const other = (await at().second()) ?? store
      const tenant = newTenant()
      for (const index of numbersTo(6)) {
        const idempotency = index % 2 ? { key: `${tenant.code} ${index}`, digest: 'd' } : null
        const alert = await insertOne(store, newAlert(tenant, { content: `word${index}`, idempotency }))
        expect((await listed(other, query(tenant, { words: [`word${index}`] }))).map(({ uuid }) => uuid)).toEqual([alert.uuid])
      }
    })
  })
}
