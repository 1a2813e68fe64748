import { describe, expect, test } from 'vitest'
import type { CaseChange, CasePosition, CaseUuid, TimelineEntry } from '../../../../runtime/domain/index.ts'
import { emptyDesk } from '../../../../runtime/domain/index.ts'
import type { TimelinePosition } from '../../../../runtime/storage/index.ts'
import { wholeTimeline } from '../../../support/timeline.ts'
import { everyone, investigated, newTenant, noon, noteOf, numbersTo, rising, type Tenant, uuid } from '../fixtures.ts'
import type { At } from '../harness.ts'

export function caseCases(at: At): void {
  async function opened(tenant: Tenant = newTenant()): Promise<CaseUuid> {
    return (await investigated(at().store, tenant)).claimed.run.case
  }
  /** Returns the entries after the one that opened the case. */
  async function entries(id: CaseUuid): Promise<readonly TimelineEntry[]> {
    return (await wholeTimeline(at().store, everyone, id)).slice(1)
  }

  test('numbers are unique and ascending in an organization, without a gap', async () => {
    const { store } = at()
    const tenants = [newTenant(), newTenant()] as const
    await Promise.all(numbersTo(30).map((n) => opened(tenants[n % 3 === 0 ? 0 : 1])))
    for (const [index, count] of [10, 20].entries()) {
      const tenant = tenants[index]!
      const { items } = await store.cases.list(everyone, { organizations: [tenant.id], after: null, limit: 100 })
      expect(rising(items.map(({ number }) => number))).toEqual(numbersTo(count))
      for (const { number, caseId } of items) expect(caseId).toBe(`${tenant.code}-${number}`)
    }
    const later = await store.cases.get(everyone, await opened(tenants[0]))
    expect(later?.number).toBe(11)
  })

  test('a case is found by uuid and by id', async () => {
    const { store } = at()
    const tenant = newTenant()
    const id = await opened(tenant)
    const found = await store.cases.get(everyone, id)
    expect(found?.uuid).toBe(id)
    expect(await store.cases.byCaseId(everyone, `${tenant.code}-1`)).toEqual(found)
    expect(await store.cases.byCaseId(everyone, `${tenant.code}-2`)).toBeNull()
    expect(await store.cases.get(everyone, uuid<CaseUuid>())).toBeNull()
    expect(await wholeTimeline(store, everyone, uuid<CaseUuid>())).toEqual([])
  })

  describe('list', () => {
    test('a page has fewer cases if they are large', async () => {
      const { store } = at()
      const tenant = newTenant()
      const ids: CaseUuid[] = []
      for (const n of numbersTo(4)) {
        const id = await opened(tenant)
        ids.unshift(id)
        if (n > 1) await store.cases.record(everyone, id, { summary: 'v'.repeat(2_000_000) }, noteOf('v', noon + 40))
      }
      const list = (after: CasePosition | null) => store.cases.list(everyone, { organizations: [tenant.id], after, limit: 4 })
      const first = await list(null)
      expect([first.items.map(({ uuid: id }) => id), first.more]).toEqual([ids.slice(0, 2), true])
      const rest = await list({ key: first.items[1]!.createdAt, uuid: ids[1]! })
      expect([rest.items.map(({ uuid: id }) => id), rest.more]).toEqual([ids.slice(2), false])
    })

    test('newest first, each case once, while others are opened', async () => {
      const { store } = at()
      const tenant = newTenant()
      const before = new Set(await Promise.all(numbersTo(9).map(() => opened(tenant))))
      const found: CaseUuid[] = []
      let after: CasePosition | null = null
      for (;;) {
        const page: Awaited<ReturnType<typeof store.cases.list>> = await store.cases.list(everyone, { organizations: [tenant.id], after, limit: 2 })
        found.push(...page.items.map(({ uuid: id }) => id))
        const last = page.items.at(-1)
        if (!page.more || !last) break
        after = { key: last.createdAt, uuid: last.uuid }
        await opened(tenant)
      }
      const known = found.filter((id) => before.has(id))
      expect(known).toEqual([...before].sort().reverse())
      expect(new Set(found).size).toBe(found.length)
    })

    test('filters by organization, status and severity', async () => {
      const { store } = at()
      const [tenant, other] = [newTenant(), newTenant()]
      const [a, b, c] = [await opened(tenant), await opened(tenant), await opened(other)]
      await store.cases.record(everyone, a, { status: 'contained', severity: 'high' }, noteOf('x'))
      const found = async (parts: object): Promise<CaseUuid[]> => {
        const { items } = await store.cases.list(everyone, { organizations: [tenant.id], after: null, limit: 9, ...parts })
        return items.map(({ uuid: id }) => id).sort()
      }
      expect(await found({})).toEqual([a, b].sort())
      expect(await found({ organizations: [tenant.id, other.id] })).toEqual([a, b, c].sort())
      expect(await found({ statuses: ['contained'] })).toEqual([a])
      expect(await found({ statuses: ['new'], severities: ['medium'] })).toEqual([b])
      expect(await found({ severities: ['critical'] })).toEqual([])
    })
  })

  describe('record', () => {
    test('writes an entry and does not change the case', async () => {
      const { store } = at()
      const id = await opened()
      const before = await store.cases.get(everyone, id)
      const entry: TimelineEntry = {
        ...noteOf('finding', noon + 20),
        body: { kind: 'finding', title: 'Macro', risk: 'high', evidence: { 'a.b': { $x: [null, '\u0000'] }, '': 1 } },
      }
      expect(await store.cases.record(everyone, id, null, entry)).toEqual(before)
      expect(await entries(id)).toEqual([entry])
    })

    test('applies a change with its entry: only the fields that it names', async () => {
      const { store } = at()
      const id = await opened()
      const before = await store.cases.get(everyone, id)
      const change: CaseChange = { severity: 'critical', assignee: 'ann', summary: '$summary' }
      const entry: TimelineEntry = { ...noteOf('change', noon + 30), body: { kind: 'change', change } }
      const expected = { ...before, ...change, modifiedAt: noon + 30, desk: { ...emptyDesk, respondedAt: noon + 30 } }
      expect(await store.cases.record(everyone, id, change, entry)).toEqual(expected)
      expect(await store.cases.get(everyone, id)).toEqual(expected)
      expect(await entries(id)).toEqual([{ ...entry, body: { kind: 'change', change, before: { severity: 'medium', assignee: null } } }])
      expect(await store.cases.record(everyone, id, { assignee: null }, noteOf('free', noon + 31))).toMatchObject({
        assignee: null,
        severity: 'critical',
      })
    })

    test('of the same entry again changes nothing, even if something else changed since', async () => {
      const { store } = at()
      const id = await opened()
      await store.cases.record(everyone, id, { status: 'contained' }, noteOf('a', noon + 20))
      await store.cases.record(everyone, id, { status: 'closed' }, noteOf('b', noon + 21))
      await store.cases.record(everyone, id, null, noteOf('c', noon + 22))
      for (const key of ['a', 'b', 'c'])
        expect(await store.cases.record(everyone, id, { status: 'new' }, noteOf(key, noon + 50, 'again'))).toMatchObject({ status: 'closed' })
      expect(await store.cases.record(everyone, id, null, noteOf('a', noon + 50, 'again'))).toMatchObject({ modifiedAt: noon + 21 })
      expect(await entries(id)).toEqual([noteOf('a', noon + 20), noteOf('b', noon + 21), noteOf('c', noon + 22)])
    })

    test('of the same entry by several callers at once happens once', async () => {
      const { store } = at()
      const other = (await at().second()) ?? store
      const id = await opened()
      await Promise.all(
        numbersTo(12).map((n) =>
          (n % 2 ? store : other).cases.record(everyone, id, n % 3 ? { severity: 'high' } : null, noteOf('same', noon, 'same')),
        ),
      )
      expect(await entries(id)).toHaveLength(1)
    })

    test('of many entries at once loses none', async () => {
      const { store } = at()
      const ids = await Promise.all(numbersTo(4).map(() => opened()))
      await Promise.all(
        numbersTo(120).map((n) => store.cases.record(everyone, ids[n % 4]!, n % 3 ? { title: `title ${n}` } : null, noteOf(`${n}`, noon + 20 + n))),
      )
      for (const [index, id] of ids.entries()) {
        const mine = numbersTo(120).filter((n) => n % 4 === index)
        expect((await entries(id)).map(({ key }) => key)).toEqual(mine.map(String))
        const titles = mine.filter((n) => n % 3).map((n) => `title ${n}`)
        expect(titles).toContain((await store.cases.get(everyone, id))?.title)
      }
    })

    test('changes that follow one another stay in their order, however many there are', async () => {
      const { store } = at()
      const id = await opened()
      const keys = numbersTo(80).map((n) => `k${n}`)
      for (const key of keys) await store.cases.record(everyone, id, { title: key }, noteOf(key, noon + 40))
      expect(await entries(id)).toEqual(keys.map((key) => noteOf(key, noon + 40)))
      expect(await store.cases.record(everyone, id, { title: 'again' }, noteOf('k1'))).toMatchObject({ title: 'k80' })
      expect((await entries(id)).map(({ key }) => key)).toEqual(keys)
    })

    test('evidence may be large', async () => {
      const { store } = at()
      const id = await opened()
      const big = (key: string): TimelineEntry => ({ ...noteOf(key, noon + 40), body: { kind: 'comment', text: key.repeat(2_000_000) } })
      for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']) await store.cases.record(everyone, id, { title: key }, big(key))
      const found = await entries(id)
      expect(found.map(({ key, body }) => [key, body.kind === 'comment' && body.text.length])).toEqual(
        ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((key) => [key, 2_000_000]),
      )
    })

    test('the timeline is read in pages, latest first; large entries make a page smaller', async () => {
      const { store } = at()
      const id = await opened()
      const text = (key: string): string => (key === 'k3' ? 'x'.repeat(5_000) : key)
      // Some entries come with a change, some without. Several have the same time.
      const keys = numbersTo(9).map((n) => `k${n}`)
      for (const [index, key] of keys.entries())
        await store.cases.record(everyone, id, index % 2 ? { title: key } : null, noteOf(key, noon + 40 + Math.floor(index / 4), text(key)))
      const part = (limit: number, characters: number, before: TimelinePosition | null) =>
        store.cases.timeline(everyone, id, { before, limit, characters })
      const latest = await part(4, 1_000_000, null)
      expect(latest.entries.map(({ key }) => key)).toEqual(['k6', 'k7', 'k8', 'k9'])
      const small = await part(4, 3_000, latest.earlier)
      expect(small.entries.map(({ key }) => key)).toEqual(['k4', 'k5'])
      const large = await part(4, 3_000, small.earlier)
      expect(large.entries.map(({ key, body }) => [key, body.kind === 'note' && body.text.length])).toEqual([['k3', 5_000]])
      const first = await part(4, 3_000, large.earlier)
      expect(first.entries.map(({ key, body }) => (body.kind === 'opened' ? 'opened' : key))).toEqual(['opened', 'k1', 'k2'])
      expect(first.earlier).toBeNull()
    })

    test('entries of some kinds are found behind any number of other entries', async () => {
      const { store } = at()
      const id = await opened()
      const decoy = { text: '{"kind":"verdict"}', kind: 'comment' } as const
      await store.cases.record(everyone, id, { title: 'a' }, { ...noteOf('v', noon + 40), body: { kind: 'verdict', text: 'v' } })
      for (const n of numbersTo(5)) await store.cases.record(everyone, id, null, { ...noteOf(`c${n}`, noon + 41 + n), body: decoy })
      const read = (kinds: readonly ('verdict' | 'comment' | 'undo')[], limit: number) =>
        store.cases.timeline(everyone, id, { kinds, before: null, limit, characters: 1_000 })
      expect((await read(['verdict', 'undo'], 2)).entries.map(({ key }) => key)).toEqual(['v'])
      expect((await read(['undo', 'comment'], 2)).entries.map(({ key }) => key)).toEqual(['c4', 'c5'])
      expect(await read(['undo'], 2)).toEqual({ entries: [], earlier: null })
    })

    test('of an unknown case is null', async () => {
      const { store } = at()
      const id = uuid<CaseUuid>()
      expect(await store.cases.record(everyone, id, { title: 'x' }, noteOf('x'))).toBeNull()
      expect(await store.cases.record(everyone, id, null, noteOf('x'))).toBeNull()
      expect(await wholeTimeline(store, everyone, id)).toEqual([])
    })

    test('survives a restart', async () => {
      const id = await opened()
      await at().store.cases.record(everyone, id, { title: 'kept' }, noteOf('a', noon + 20))
      await at().store.cases.record(everyone, id, null, noteOf('b', noon + 21))
      await at().reopen()
      expect((await at().store.cases.get(everyone, id))?.title).toBe('kept')
      expect(await entries(id)).toEqual([noteOf('a', noon + 20), noteOf('b', noon + 21)])
    })
  })

  test('a timeline is sorted by time, then by order of writing', async () => {
    const { store } = at()
    const id = await opened()
    const said: readonly (readonly [string, number, CaseChange | null])[] = [
      ['late', 60, null],
      ['x3', 50, null],
      ['x1', 50, { severity: 'low' }],
      ['x2', 50, null],
      ['x0', 50, { severity: 'high' }],
      ['early', 40, { assignee: 'ann' }],
    ]
    for (const [key, later, change] of said) await store.cases.record(everyone, id, change, noteOf(key, noon + later))
    expect((await entries(id)).map(({ key }) => key)).toEqual(['early', 'x3', 'x1', 'x2', 'x0', 'late'])
  })
}
