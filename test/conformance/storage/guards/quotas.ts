import { expect, test } from 'vitest'
import { longestQuota, type OrganizationId } from '../../../../runtime/domain/index.ts'
import type { QuotaCall } from '../../../../runtime/storage/index.ts'
import { everyone, newTenant, numbersTo, type Tenant, uuid } from '../fixtures.ts'
import type { At } from '../harness.ts'

const minute = 60_000
export const bypass = 'mfa.toggle_mfa_user_bypass'

export function quotaCall(tenant: Tenant | null, parts: Partial<QuotaCall> = {}): QuotaCall {
  return { organization: tenant?.id ?? null, skill: bypass, key: uuid(), quota: { calls: 3, per: 10 * minute }, anyway: false, ...parts }
}

export function quotaCases(at: At): void {
  const count = (tenant: Tenant | null, parts: Partial<QuotaCall> = {}) => at().store.quotas.count(everyone, quotaCall(tenant, parts))
  const countMany = async (tenant: Tenant, times: number, parts: Partial<QuotaCall> = {}): Promise<boolean[]> => {
    const counted: boolean[] = []
    for (const _ of numbersTo(times)) counted.push((await count(tenant, parts)).counted)
    return counted
  }
  const used = async (organization: OrganizationId | null, per = 10 * minute, skill = bypass) =>
    (await at().store.quotas.usage(everyone, organization, [{ skill, per }]))[0]

  test('counts as many calls as the quota has; a refused caller learns how full it is', async () => {
    const tenant = newTenant()
    expect(await count(tenant)).toEqual({ counted: true, calls: 0, since: null })
    expect(await count(tenant)).toMatchObject({ counted: true, calls: 1, since: expect.any(Number) })
    expect(await countMany(tenant, 3)).toEqual([true, false, false])
    const { since, ...full } = await count(tenant)
    expect(full).toEqual({ counted: false, calls: 3 })
    expect(await used(tenant.id)).toEqual({ calls: 3, since })
    await at().reopen()
    expect(await used(tenant.id)).toEqual({ calls: 3, since })
    expect((await count(tenant)).counted).toBe(false)
  })

  test('a quota of zero counts no call', async () => {
    expect(await count(newTenant(), { quota: { calls: 0, per: minute } })).toEqual({ counted: false, calls: 0, since: null })
  })

  test('concurrent callers get no more than the quota', async () => {
    const { store } = at()
    const stores = [store, (await at().second()) ?? store]
    const tenant = newTenant()
    for (const round of [1, 2]) {
      const results = await Promise.all(numbersTo(60).map((n) => stores[n % 2]?.quotas.count(everyone, quotaCall(tenant))))
      expect(results.filter((result) => result?.counted)).toHaveLength(round === 1 ? 3 : 0)
    }
    expect(await used(tenant.id)).toMatchObject({ calls: 3 })
  })

  test('concurrent requests for the same call count once', async () => {
    const { store } = at()
    const stores = [store, (await at().second()) ?? store]
    const tenant = newTenant()
    const key = uuid<string>()
    const results = await Promise.all(numbersTo(12).map((n) => stores[n % 2]?.quotas.count(everyone, quotaCall(tenant, { key }))))
    expect(results.every((result) => result?.counted)).toBe(true)
    expect(await used(tenant.id)).toMatchObject({ calls: 1 })
  })

  test('a repeated call counts once, even if the quota is full, and moves to the current time', async () => {
    const tenant = newTenant()
    const key = uuid<string>()
    await count(tenant, { key })
    await at().pass(6 * minute)
    await countMany(tenant, 2)
    expect((await count(tenant, { key })).counted).toBe(true)
    expect(await used(tenant.id)).toMatchObject({ calls: 3 })
    await at().pass(5 * minute)
    expect(await used(tenant.id)).toMatchObject({ calls: 3 })
    expect((await count(tenant)).counted).toBe(false)
  })

  test('the period rolls: calls older than it make room, one after the other', async () => {
    const tenant = newTenant()
    for (const _ of numbersTo(3)) {
      expect((await count(tenant)).counted).toBe(true)
      await at().pass(4 * minute)
    }
    expect(await used(tenant.id)).toMatchObject({ calls: 2 })
    expect(await countMany(tenant, 2)).toEqual([true, false])
    await at().pass(4 * minute)
    expect(await countMany(tenant, 2)).toEqual([true, false])
  })

  test('a call that was counted longer ago than the period counts again', async () => {
    const tenant = newTenant()
    const key = uuid<string>()
    await count(tenant, { key })
    await at().pass(11 * minute)
    await countMany(tenant, 3)
    expect((await count(tenant, { key })).counted).toBe(false)
  })

  test('a call with `anyway` is counted beyond the quota', async () => {
    const tenant = newTenant()
    await countMany(tenant, 3)
    expect(await count(tenant, { anyway: true })).toMatchObject({ counted: true, calls: 3 })
    expect(await used(tenant.id)).toMatchObject({ calls: 4 })
    expect((await count(tenant)).counted).toBe(false)
  })

  test('a changed quota includes earlier calls', async () => {
    const tenant = newTenant()
    await countMany(tenant, 3)
    await at().pass(5 * minute)
    expect((await count(tenant, { quota: { calls: 4, per: minute } })).counted).toBe(true)
    expect((await count(tenant, { quota: { calls: 2, per: minute } })).counted).toBe(true)
    expect((await count(tenant, { quota: { calls: 2, per: minute } })).counted).toBe(false)
    expect((await count(tenant, { quota: { calls: 5, per: 10 * minute } })).counted).toBe(false)
    expect((await count(tenant, { quota: { calls: 6, per: 10 * minute } })).counted).toBe(true)
  })

  test('each skill of each organization has its own count, and so have calls of no organization', async () => {
    const [one, other] = [newTenant(), newTenant()]
    const skill = `mfa.${uuid()}`
    await countMany(one, 4)
    expect(await countMany(one, 1, { skill })).toEqual([true])
    expect(await countMany(other, 1)).toEqual([true])
    expect((await count(null, { skill })).counted).toBe(true)
    expect(await used(null, minute, skill)).toMatchObject({ calls: 1 })
    const spans = [
      { skill, per: minute },
      { skill: 'none.there', per: minute },
      { skill: bypass, per: minute },
    ] // prettier-ignore
    expect((await at().store.quotas.usage(everyone, one.id, spans)).map(({ calls }) => calls)).toEqual([1, 0, 3])
  })

  test('calls older than any quota are deleted', async () => {
    const tenant = newTenant()
    await countMany(tenant, 2)
    await at().pass(longestQuota)
    await count(tenant)
    expect(await used(tenant.id, longestQuota * 2)).toMatchObject({ calls: 1 })
  })
}
