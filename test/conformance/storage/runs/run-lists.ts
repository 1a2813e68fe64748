import { expect, test } from 'vitest'
import type { Run, RunId } from '../../../../runtime/domain/index.ts'
import type { RunQuery, Store } from '../../../../runtime/storage/index.ts'
import { claimOf, endOf, everyone, insertOne, mustClaim, newAlert, newTenant, noon, openSession, type Tenant } from '../fixtures.ts'
import type { At } from '../harness.ts'

interface Parts {
  readonly type?: string
  readonly playbook?: string
}

/** Starts a run of the tenant, at the given time after noon. */
async function runAt(store: Store, tenant: Tenant, after: number, { type = 'phishing', playbook = 'phishing-reported' }: Parts = {}): Promise<Run> {
  const session = await openSession(store)
  const claim = claimOf(await insertOne(store, newAlert(tenant, { type })), session, 1, noon + after)
  const pins = { ...claim.pins, playbook: { ...claim.pins.playbook, name: playbook } }
  return (await mustClaim(store, { ...claim, pins })).run
}

export function runListCases(at: At): void {
  const ids = async (tenant: Tenant, query: Partial<RunQuery> = {}): Promise<RunId[]> => {
    const { items } = await at().store.runs.list(everyone, { organizations: [tenant.id], after: null, limit: 100, ...query })
    return items.map(({ id }) => id)
  }

  test('runs that started last come first, page by page, each once', async () => {
    const { store } = at()
    const tenant = newTenant()
    const made: Run[] = []
    for (const after of [0, 1, 1, 2, 3]) made.push(await runAt(store, tenant, after))
    const wanted = made.toSorted((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1)).map(({ id }) => id)
    const seen: RunId[] = []
    let after: RunQuery['after'] = null
    for (;;) {
      const page: Awaited<ReturnType<typeof store.runs.list>> = await store.runs.list(everyone, { organizations: [tenant.id], after, limit: 2 })
      expect(page.items.length).toBeLessThanOrEqual(2)
      seen.push(...page.items.map(({ id }) => id))
      const last = page.items.at(-1)
      if (!page.more || !last) break
      after = { startedAt: last.startedAt, id: last.id }
    }
    expect(seen).toEqual(wanted)
  })

  test('they are filtered by organization, type, playbook and start, all together', async () => {
    const { store } = at()
    const [tenant, other] = [newTenant(), newTenant()]
    const early = await runAt(store, tenant, 0)
    const late = await runAt(store, tenant, 5, { type: 'MFA Fatigue', playbook: 'mfa-fatigue' })
    const theirs = await runAt(store, other, 9)
    expect(await ids(tenant)).toEqual([late.id, early.id])
    expect(await ids(tenant, { organizations: [tenant.id, other.id] })).toEqual([theirs.id, late.id, early.id])
    expect(await ids(tenant, { types: ['mfa fatigue'] })).toEqual([late.id])
    expect(await ids(tenant, { playbooks: ['phishing-reported', 'none'] })).toEqual([early.id])
    expect(await ids(tenant, { startedFrom: noon + 5 })).toEqual([late.id])
    expect(await ids(tenant, { startedFrom: noon + 6 })).toEqual([])
    expect(await ids(tenant, { startedFrom: noon + 5, playbooks: ['phishing-reported'] })).toEqual([])
  })

  test('they are filtered by state', async () => {
    const { store } = at()
    const tenant = newTenant()
    const [failed, completed, running] = [await runAt(store, tenant, 0), await runAt(store, tenant, 1), await runAt(store, tenant, 2)]
    await store.runs.end(everyone, endOf(failed.id, 1, 1, { state: 'failed' }))
    await store.runs.end(everyone, endOf(completed.id, 1, 1))
    expect(await ids(tenant, { states: ['failed'] })).toEqual([failed.id])
    expect(await ids(tenant, { states: ['failed', 'running'] })).toEqual([running.id, failed.id])
    expect(await ids(tenant, { states: ['waiting', 'running'] })).toEqual([running.id])
    expect(await ids(tenant, { states: ['waiting'] })).toEqual([])
    expect(await ids(tenant, { states: ['failed'], startedFrom: noon + 1 })).toEqual([])
  })

  test('they are complete, whatever their state', async () => {
    const { store } = at()
    const tenant = newTenant()
    const running = await runAt(store, tenant, 1)
    const over = await runAt(store, tenant, 0)
    await store.runs.end(everyone, endOf(over.id, over.epoch, 1, { state: 'failed', reason: 'why' }))
    const { items } = await store.runs.list(everyone, { organizations: [tenant.id], after: null, limit: 9 })
    expect(items).toEqual([running, { ...over, state: 'failed', reason: 'why', endedAt: noon + 99 }])
  })
}
