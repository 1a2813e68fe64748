import { expect, test } from 'vitest'
import type { Act, ActId, PrincipalId } from '../../../../runtime/domain/index.ts'
import { everyone, noon, numbersTo, uuid } from '../fixtures.ts'
import type { At } from '../harness.ts'

export function newAct(parts: Partial<Act> = {}): Act {
  return {
    ...{ id: uuid<ActId>(), at: noon, principal: uuid<PrincipalId>(), by: 'ada', action: 'changeConnection', text: 'a connection was changed' },
    on: { connection: uuid(), instance: 'crm-prod', fields: ['description'] },
    ...parts,
  }
}

export function actCases(at: At): void {
  test('acts are listed newest first, page by page, each once, also after a restart', async () => {
    const principal = uuid<PrincipalId>()
    const acts = numbersTo(7).map((n) => newAct({ principal, at: noon + Math.floor(n / 2) }))
    for (const act of acts) await at().store.acts.add(everyone, act)
    await at().reopen()
    const sorted = acts.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    const found: Act[] = []
    for (let more = true; more; ) {
      const last = found.at(-1)
      const page = await at().store.acts.list(everyone, { by: principal, after: last ? { at: last.at, id: last.id } : null, limit: 3 })
      found.push(...page.items)
      more = page.more
    }
    expect(found).toEqual(sorted)
  })

  test('an act that is added twice is listed once, as it was first', async () => {
    const act = newAct()
    await at().store.acts.add(everyone, act)
    await at().store.acts.add(everyone, act)
    expect(await at().store.acts.list(everyone, { by: act.principal, after: null, limit: 9 })).toEqual({ items: [act], more: false })
  })

  test('an act is found by its principal, its action, its time, and each name and id in its details, and by all of these together', async () => {
    const { acts } = at().store
    const connection = uuid()
    const act = newAct({ by: `ada ${uuid()}`, on: { connection, targets: ['ada', 'bob'], change: { severity: 'low' } } })
    const other = newAct({ by: act.by, principal: act.principal, action: 'deleteConnection', at: noon + 5, on: { connection } })
    for (const one of [act, other]) await acts.add(everyone, one)
    const { principal } = act
    const list = async (filter: object) => (await acts.list(everyone, { ...filter, after: null, limit: 9 })).items
    expect(await list({ by: principal })).toEqual([other, act])
    expect(await list({ by: act.by })).toEqual([other, act])
    expect(await list({ about: connection })).toEqual([other, act])
    expect(await list({ about: act.by })).toEqual([])
    expect(await list({ about: connection, action: 'changeConnection' })).toEqual([act])
    expect(await list({ by: principal, about: 'bob' })).toEqual([act])
    expect(await list({ by: principal, about: 'low' })).toEqual([act])
    expect(await list({ by: principal, about: 'bo' })).toEqual([])
    expect(await list({ by: principal, action: 'changeConnection', about: 'ada', from: noon, before: noon + 1 })).toEqual([act])
    expect(await list({ by: principal, from: noon + 1 })).toEqual([other])
    expect(await list({ by: principal, before: noon + 5 })).toEqual([act])
    expect(await list({ by: principal, action: 'changeConnection', before: noon })).toEqual([])
    expect(await list({ by: uuid() })).toEqual([])
    expect((await acts.list(everyone, { from: noon, before: noon + 1, after: null, limit: 1_000 })).items).toContainEqual(act)
  })

  test('details may have any names and texts', async () => {
    const act = newAct({ by: 'Zoë \u202e', on: { $set: 'a.b', 'x.y': ['', null, 1, true, { '': 'deep' }], long: 'x'.repeat(2_000) } })
    await at().store.acts.add(everyone, act)
    for (const about of ['a.b', 'deep']) {
      expect((await at().store.acts.list(everyone, { by: act.principal, about, after: null, limit: 9 })).items).toEqual([act])
    }
  })
}
