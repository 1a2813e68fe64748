import { describe, expect, test } from 'vitest'
import {
  asId,
  type Case,
  type CaseChange,
  type CaseUuid,
  casePosition,
  caseSorts,
  mostLinks,
  mostTags,
  mostTasks,
  type PrincipalId,
  type TimelineBody,
  type TimelineEntry,
} from '../../../../runtime/domain/index.ts'
import type { CaseMention, Store } from '../../../../runtime/storage/index.ts'
import { everyone, investigated, newTenant, noon, numbersTo, type Tenant } from '../fixtures.ts'
import type { At } from '../harness.ts'

const ada = asId<PrincipalId>('0197a000-0000-7000-8000-00000000ada0')

/** Lists of cases, and what people keep on a case. */
export function caseDeskCases(at: At): void {
  async function opened(tenant: Tenant = newTenant()): Promise<CaseUuid> {
    return (await investigated(at().store, tenant)).claimed.run.case
  }
  let written = 0
  const entry = (body: TimelineBody, when = noon + 50): TimelineEntry => {
    written += 1
    return { key: `desk-${written}`, at: when, actor: { principal: ada }, body }
  }
  const record = async (id: CaseUuid, body: TimelineBody, change: CaseChange | null = null, when?: number): Promise<Case> => {
    const after = await at().store.cases.record(everyone, id, change, entry(body, when))
    if (!after) throw new Error('the case is gone')
    expect(await at().store.cases.get(everyone, id)).toEqual(after)
    return after
  }
  const other = async (id: CaseUuid) => {
    const found = await at().store.cases.get(everyone, id)
    return { uuid: id, caseId: found!.caseId }
  }

  describe('list', () => {
    test('filters by disposition, assignee, tag, words and time', async () => {
      const { store } = at()
      const tenant = newTenant()
      const [a, b, c] = [await opened(tenant), await opened(tenant), await opened(tenant)]
      await record(a, { kind: 'note', text: '' }, { disposition: 'malicious', assignee: 'Ann', title: 'Mail 100% sure_thing', summary: 'Über Ärger' })
      await record(b, { kind: 'tags', added: ['vip', 'mail.$odd'], removed: [] })
      const found = async (parts: object): Promise<CaseUuid[]> =>
        (await store.cases.list(everyone, { organizations: [tenant.id], after: null, limit: 9, ...parts })).items.map(({ uuid }) => uuid).sort()
      expect(await found({ dispositions: ['malicious'] })).toEqual([a])
      expect(await found({ assignees: ['Ann'] })).toEqual([a])
      expect(await found({ assignees: [null] })).toEqual([b, c].sort())
      expect(await found({ assignees: ['Ann', null] })).toEqual([a, b, c].sort())
      expect(await found({ assignees: [] })).toEqual([])
      expect(await found({ tags: ['vip', 'other'] })).toEqual([b])
      expect(await found({ tags: ['other'] })).toEqual([])
      expect(await found({ words: ['100%', 'SURE_'] })).toEqual([a])
      expect(await found({ words: ['ärger'] })).toEqual([a])
      await record(c, { kind: 'note', text: '' }, { title: 'Odd\0name' })
      expect(await found({ words: ['d\0N'] })).toEqual([c])
      expect(await found({ words: ['\0\0'] })).toEqual([])
      expect(await found({ words: ['1_0%'] })).toEqual([])
      expect(await found({ words: ['(', 'x'] })).toEqual([])
      expect(await found({ words: [`${tenant.code}-2`.toLowerCase()] })).toEqual([b])
      const { createdAt } = (await store.cases.get(everyone, b))!
      expect(await found({ createdFrom: createdAt, createdTo: createdAt + 1 })).toContain(b)
      expect(await found({ createdTo: 1 })).toEqual([])
    })

    /** Which of three cases say each of these texts: `p` a phishing mail, `t` a journey, `u` other scripts. */
    test.each([
      [['phish'], 'p'],
      [['ISHING'], 'p'],
      [['a@x.example'], 'p'],
      [['x.exam', 'mail'], 'p'],
      [['mail', 'travel'], ''],
      [['a'], 'ptu'],
      [['q'], 't'],
      [['203.0.113'], 't'],
      [['0.113.7'], 't'],
      [['113.8'], ''],
      [['3.0', '1', '7,'], 't'],
      [['straße'], 'u'],
      [['STRAẞE', 'ÜBER'], 'u'],
      [['strasse'], ''],
      [['οδος'], 'u'],
      [['ΟΔΟ'], 'u'],
      [['日'], 'u'],
      [['\u{1f4e7}'], 'u'],
      [['%'], ''],
      [['_'], ''],
      [['.*'], ''],
      [['[x]'], 't'],
      [['\\d'], 't'],
      [['two words'], 'p'],
      [['words two'], ''],
      [[''], 'ptu'],
      [[], 'ptu'],
    ])('says %j', async (words, expected) => {
      const { store } = at()
      const tenant = newTenant()
      const says = {
        p: { title: 'PHISHING mail of two words', summary: 'Sent by a@x.example' },
        t: { title: 'Impossible travel [x] \\d', summary: 'From 203.0.113.7, quickly' },
        u: { title: 'Über die Straße', summary: 'ΟΔΟΣ 日本 \u{1f4e7} at last' },
      }
      const names = new Map<CaseUuid, string>()
      for (const [name, change] of Object.entries(says)) {
        const id = await opened(tenant)
        await record(id, { kind: 'note', text: '' }, change)
        names.set(id, name)
      }
      for (const sort of caseSorts) {
        const { items } = await store.cases.list(everyone, { organizations: [tenant.id], words, sort, after: null, limit: 9 })
        const found = items.map(({ uuid }) => names.get(uuid) ?? '?')
        expect([sort, found.sort().join('')]).toEqual([sort, expected])
      }
    })

    test('finds a case by what it says now, page by page', async () => {
      const { store } = at()
      const other = await at().second()
      const tenant = newTenant()
      const ids: CaseUuid[] = []
      for (const _ of numbersTo(5)) ids.push(await opened(tenant))
      for (const id of ids) await record(id, { kind: 'note', text: '' }, { title: `First ${tenant.code}`, summary: 'zebra' })
      const found = async (reader: Pick<Store, 'cases'>, ...words: string[]): Promise<CaseUuid[]> => {
        const items: Case[] = []
        for (let more = true; more; ) {
          const last = items.at(-1)
          const page = await reader.cases.list(everyone, { words, after: last ? casePosition(last, '-created_at') : null, limit: 2 })
          items.push(...page.items)
          more = page.more
        }
        return items.map(({ uuid }) => uuid).sort()
      }
      expect(await found(other ?? store, tenant.code, 'ebr')).toEqual(ids.toSorted())
      await record(ids[1]!, { kind: 'note', text: '' }, { title: `Second ${tenant.code}`, summary: 'okapi' })
      for (const reader of [store, other ?? store]) {
        expect(await found(reader, tenant.code, 'ebr')).toEqual(ids.filter((id) => id !== ids[1]).sort())
        expect(await found(reader, `second ${tenant.code}`.toLowerCase(), 'OKAPI')).toEqual([ids[1]])
      }
      await at().reopen()
      expect(await found(at().store, tenant.code, 'ebr')).toHaveLength(4)
    })

    test.each(caseSorts)('sorted by %s, page by page, each case once', async (sort) => {
      const { store } = at()
      const tenant = newTenant()
      const ids = []
      for (const _ of numbersTo(7)) ids.push(await opened(tenant))
      const severe = ['low', 'critical', 'medium', 'critical', 'unassigned', 'high', 'low'] as const
      for (const [index, id] of ids.entries())
        await record(id, { kind: 'note', text: '' }, { severity: severe[index]! }, noon + 100 + ((index * 3) % 7))
      const items: Case[] = []
      for (;;) {
        const last = items.at(-1)
        const page = await store.cases.list(everyone, { organizations: [tenant.id], sort, after: last ? casePosition(last, sort) : null, limit: 2 })
        items.push(...page.items)
        if (!page.more) break
      }
      const keys = items.map((one) => casePosition(one, sort).key)
      const ascending = keys.toSorted((one, another) => one - another)
      expect(keys).toEqual(sort.startsWith('-') ? ascending.toReversed() : ascending)
      expect(new Set(items.map(({ uuid }) => uuid)).size).toBe(7)
    })

    test('open cases are found among closed ones', async () => {
      const { store } = at()
      const tenant = newTenant()
      const [a, b] = [await opened(tenant), await opened(tenant)]
      await record(a, { kind: 'change', change: { status: 'closed' } }, { status: 'closed' })
      const { items } = await store.cases.list(everyone, { organizations: [tenant.id], statuses: ['new', 'contained'], after: null, limit: 9 })
      expect(items.map(({ uuid }) => uuid)).toEqual([b])
    })
  })

  describe('desk', () => {
    test('tags, tasks and links are added, changed and removed', async () => {
      const tenant = newTenant()
      const [id, linked] = [await opened(tenant), await opened(tenant)]
      await record(id, { kind: 'tags', added: ['vip', 'mail'], removed: [] })
      expect((await record(id, { kind: 'tags', added: ['b'], removed: ['vip'] })).desk.tags).toEqual(['b', 'mail'])
      const task = { kind: 'task', task: 't1', text: 'Call', assignee: null, by: 'Ada' } as const
      await record(id, { ...task, act: 'added' }, null, noon + 51)
      await record(id, { ...task, act: 'changed', text: 'Call Bob', assignee: 'Bob' })
      expect((await record(id, { ...task, act: 'done' }, null, noon + 60)).desk.tasks).toEqual([
        { id: 't1', text: 'Call Bob', assignee: 'Bob', createdAt: noon + 51, createdBy: 'Ada', done: { at: noon + 60, by: 'Ada' } },
      ])
      expect((await record(id, { ...task, act: 'reopened' })).desk.tasks).toMatchObject([{ done: null }])
      expect((await record(id, { ...task, act: 'removed' })).desk.tasks).toEqual([])
      const link = { kind: 'link', other: await other(linked), by: 'Ada', text: null } as const
      await record(id, { ...link, act: 'added' })
      expect((await record(id, { ...link, act: 'added' })).desk.links).toMatchObject([{ uuid: linked, by: 'Ada' }])
      await at().reopen()
      expect((await at().store.cases.get(everyone, id))?.desk).toMatchObject({ tags: ['b', 'mail'], links: [{ uuid: linked }] })
      expect((await record(id, { ...link, act: 'removed' })).desk.links).toEqual([])
    })

    test('of many changes at once, none is lost', async () => {
      const id = await opened()
      const second = (await at().second()) ?? at().store
      await Promise.all(
        numbersTo(20).map((n) =>
          (n % 2 ? at().store : second).cases.record(everyone, id, null, entry({ kind: 'tags', added: [`t${n}`], removed: [] })),
        ),
      )
      expect((await at().store.cases.get(everyone, id))?.desk.tags).toHaveLength(20)
    })

    test('what a full case has no room for changes nothing, and its entry says so', async () => {
      const tenant = newTenant()
      const [id, linked, another] = [await opened(tenant), await opened(tenant), await opened(tenant)]
      const last = async () => (await at().store.cases.timeline(everyone, id, { before: null, limit: 1, characters: 1_000 })).entries.at(-1)?.body
      const tags = numbersTo(mostTags).map((n) => `t${n}`)
      await record(id, { kind: 'tags', added: tags, removed: [] })
      // Sorted, the new one would be first, and push another one out.
      expect((await record(id, { kind: 'tags', added: ['a'], removed: [] })).desk.tags).toEqual(tags.toSorted())
      expect(await last()).toMatchObject({ kind: 'tags', added: ['a'], refused: true })
      expect((await record(id, { kind: 'tags', added: ['a'], removed: ['t1'] })).desk.tags).toContain('a')
      const task = (n: number) => ({ kind: 'task', act: 'added', task: `${n}`, text: 'Call', assignee: null, by: 'Ada' }) as const
      for (const n of numbersTo(mostTasks)) await record(id, task(n))
      expect((await record(id, task(-1))).desk.tasks.some((one) => one.id === '-1')).toBe(false)
      expect(await last()).toMatchObject({ kind: 'task', refused: true })
      const link = { kind: 'link', act: 'added', by: 'Ada', text: null } as const
      await record(id, { ...link, other: await other(linked) })
      const others = numbersTo(mostLinks - 1).map(() => ({ uuid: asId<CaseUuid>(crypto.randomUUID()), caseId: 'X-1' }))
      for (const one of others) await record(id, { ...link, other: one })
      expect((await record(id, { ...link, other: await other(another) })).desk.links.some(({ uuid }) => uuid === another)).toBe(false)
      expect(await last()).toMatchObject({ kind: 'link', refused: true })
      expect((await record(id, { ...link, other: await other(linked), by: 'Bob' })).desk.links.find(({ uuid }) => uuid === linked)?.by).toBe('Bob')
    })

    test('a person responds once; closing sets the end, and opening again removes it', async () => {
      const id = await opened()
      expect((await record(id, { kind: 'comment', text: 'x' }, null, noon + 70)).desk).toMatchObject({ respondedAt: noon + 70, closedAt: null })
      const closed = await record(id, { kind: 'change', change: { status: 'closed' } }, { status: 'closed' }, noon + 80)
      expect(closed.desk).toMatchObject({ respondedAt: noon + 70, closedAt: noon + 80 })
      expect((await record(id, { kind: 'change', change: { status: 'new' } }, { status: 'new' }, noon + 90)).desk.closedAt).toBeNull()
    })

    test('a merged case stays closed, whatever its runs write, and gets that status when the merge is taken back', async () => {
      const tenant = newTenant()
      const [from, into] = [await opened(tenant), await opened(tenant)]
      const merge = { kind: 'merge', by: 'Ada', text: null } as const
      await record(into, { ...merge, act: 'absorbed', other: await other(from) })
      expect(await record(from, { ...merge, act: 'into', other: await other(into) })).toMatchObject({
        status: 'closed',
        desk: { into: { status: 'new' } },
      })
      const byRun = {
        key: 'run',
        at: noon + 95,
        actor: { run: asId<never>('r'), step: 's' },
        body: { kind: 'change', change: { status: 'contained' } },
      } as const
      const after = await at().store.cases.record(everyone, from, { status: 'contained', severity: 'critical' }, byRun)
      expect(after).toMatchObject({ status: 'closed', severity: 'critical', desk: { into: { status: 'contained' } } })
      // A case with merged cases cannot be merged. A merged case cannot take another one.
      expect((await record(into, { ...merge, act: 'into', other: await other(from) })).desk.into).toBeNull()
      expect((await record(from, { ...merge, act: 'absorbed', other: await other(into) })).desk.merged).toEqual([])
      expect(await record(from, { ...merge, act: 'taken_back', other: await other(into) })).toMatchObject({
        status: 'contained',
        desk: { into: null },
      })
      expect((await record(into, { ...merge, act: 'released', other: await other(from) })).desk.merged).toEqual([])
    })

    test('says of many cases at once which others continue them', async () => {
      const { cases } = at().store
      const tenant = newTenant()
      const [from, into, none] = [await opened(tenant), await opened(tenant), await opened(tenant)]
      const names = { from: await other(from), into: await other(into), none: await other(none) }
      const merge = { kind: 'merge', by: 'Ada', text: null } as const
      await record(into, { ...merge, act: 'absorbed', other: names.from })
      await record(none, { kind: 'tags', added: ['vip'], removed: [] })
      const ids = [...Object.values(names).map(({ caseId }) => caseId), 'UNKNOWN-1']
      expect(await cases.continued(everyone, ids)).toEqual(new Map())
      await record(from, { ...merge, act: 'into', other: names.into }, null, noon + 75)
      expect([...(await cases.continued(everyone, ids))]).toMatchObject([[names.from.caseId, { ...names.into, at: noon + 75, by: 'Ada' }]])
      expect(await cases.continued(everyone, [])).toEqual(new Map())
      await record(from, { ...merge, act: 'taken_back', other: names.into })
      expect(await cases.continued(everyone, ids)).toEqual(new Map())
    })

    test('of two opposite merges at once, at most one is made', async () => {
      const tenant = newTenant()
      const [a, b] = [await opened(tenant), await opened(tenant)]
      const merge = { kind: 'merge', by: 'Ada', text: null } as const
      const names = { a: await other(a), b: await other(b) }
      await Promise.all([record(a, { ...merge, act: 'absorbed', other: names.b }), record(b, { ...merge, act: 'absorbed', other: names.a })])
      const both = await Promise.all([record(a, { ...merge, act: 'into', other: names.b }), record(b, { ...merge, act: 'into', other: names.a })])
      expect(both.map(({ desk }) => desk.into)).toEqual([null, null])
    })
  })

  test('mentions of a principal are listed newest first, and their comments are read by key', async () => {
    const { store } = at()
    const who = asId<PrincipalId>(crypto.randomUUID())
    const id = await opened()
    const comments = numbersTo(5).map((n) => ({
      ...entry({ kind: 'comment', text: `@Bob ${n}`, mentions: [{ principal: who, name: 'Bob' }] }),
      at: noon + 200 + n,
    }))
    for (const comment of comments) await store.cases.record(everyone, id, null, comment)
    await store.cases.record(everyone, id, null, comments[0]!)
    const seen: CaseMention[] = []
    for (;;) {
      const page = await store.cases.mentions(everyone, who, { after: seen.at(-1) ?? null, limit: 2 })
      seen.push(...page.items)
      if (!page.more) break
    }
    expect(seen).toEqual(comments.toReversed().map(({ key, at: when }) => ({ case: id, key, at: when })))
    expect(await store.cases.entries(everyone, id, [comments[2]!.key, 'unknown'])).toEqual([comments[2]])
    expect(await store.cases.mentions(everyone, ada, { after: null, limit: 2 })).toEqual({ items: [], more: false })
  })
}
