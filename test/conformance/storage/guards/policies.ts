import { expect, test } from 'vitest'
import { defaultPolicy, type OrganizationPolicy, type PrincipalId } from '../../../../runtime/domain/index.ts'
import { everyone, newTenant, noon, numbersTo, type Tenant, uuid } from '../fixtures.ts'
import type { At } from '../harness.ts'

export function newPolicy({ id }: Tenant, revision = 1): OrganizationPolicy {
  const approvals = { ...defaultPolicy.approvals, skills: { 'mfa.suspend_user': 'ask', 'mail.$odd': 'none' } } as const
  const quotas = { high: null, write: { calls: 5, per: 60_000 }, skills: { 'mfa.suspend_user': null, 'mail.$odd': { calls: 0, per: 1_000 } } }
  const spans = { 'mfa.suspend_user': null, 'mail.$odd': 60_000 }
  const rules = [{ names: ['ada', '$odd.name'], pattern: '^vip', skills: null, reason: 'VIPs' }]
  const policy = {
    approvals,
    limits: { impact: { high: revision, write: null, targets: 0 }, quotas, spans },
    protected: rules,
    serviceLevels: defaultPolicy.serviceLevels,
  }
  return { organization: id, revision, text: `format: 1 # ${revision}\n`, policy, changedAt: noon + revision, changedBy: uuid<PrincipalId>() }
}

export function policyCases(at: At): void {
  test('an organization has no policy before one is set; then it has that one, also after a restart', async () => {
    const tenant = newTenant()
    expect(await at().store.policies.get(everyone, tenant.id)).toBeNull()
    expect(await at().store.policies.history(everyone, tenant.id, 10)).toEqual([])
    const first = newPolicy(tenant)
    expect(await at().store.policies.set(tenant.scope, first)).toBe('set')
    await at().reopen()
    expect(await at().store.policies.get(tenant.scope, tenant.id)).toEqual(first)
  })

  test('only the next revision replaces it', async () => {
    const { policies } = at().store
    const tenant = newTenant()
    const [first, second] = [newPolicy(tenant), newPolicy(tenant, 2)]
    expect(await policies.set(everyone, second)).toBe('changed')
    expect(await policies.set(everyone, first)).toBe('set')
    expect(await policies.set(everyone, newPolicy(tenant))).toBe('changed')
    expect(await policies.set(everyone, newPolicy(tenant, 3))).toBe('changed')
    expect(await policies.get(everyone, tenant.id)).toEqual(first)
    expect(await policies.set(everyone, second)).toBe('set')
    expect(await policies.get(everyone, tenant.id)).toEqual(second)
    expect(await policies.history(everyone, tenant.id, 10)).toEqual([second, first])
    expect(await policies.history(everyone, tenant.id, 1)).toEqual([second])
    expect([await policies.revision(everyone, tenant.id, 1), await policies.revision(everyone, tenant.id, 3)]).toEqual([first, null])
  })

  test('only one of several concurrent changes is made', async () => {
    const { store } = at()
    const stores = [store, (await at().second()) ?? store]
    const tenant = newTenant()
    const results = await Promise.all(numbersTo(12).map((n) => stores[n % 2]?.policies.set(everyone, newPolicy(tenant))))
    expect(results.sort()).toEqual([...Array<string>(11).fill('changed'), 'set'])
    expect(await store.policies.history(everyone, tenant.id, 10)).toHaveLength(1)
  })

  test('all returns the current policy of each organization', async () => {
    const { policies } = at().store
    const [one, other] = [newTenant(), newTenant()]
    for (const policy of [newPolicy(one), newPolicy(one, 2), newPolicy(other)]) await policies.set(everyone, policy)
    const all = await policies.all({ organizations: [one.id, other.id] })
    expect(all.map(({ organization, revision }) => [organization, revision]).sort()).toEqual(
      [
        [one.id, 2],
        [other.id, 1],
      ].sort(),
    )
    expect((await policies.all(everyone)).filter(({ organization }) => organization === one.id)).toEqual(all.filter(({ revision }) => revision === 2))
  })
}
