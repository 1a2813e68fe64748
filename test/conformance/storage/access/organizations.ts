import { describe, expect, test } from 'vitest'
import type { OrganizationId, PrincipalId, Provider } from '../../../../runtime/domain/index.ts'
import { everyone, newTenant, noon, numbersTo, organizationOf, uuid } from '../fixtures.ts'
import type { At } from '../harness.ts'

/** Returns a code that nobody else uses. */
const newCode = (): string => newTenant().code
const providerOf = (code: string): Provider => ({ code, name: `Provider ${code}`, createdAt: noon, createdBy: uuid<PrincipalId>() })

export function organizationCases(at: At): void {
  describe('organizations', () => {
    test('are found by id and by exact code; unknown ones are skipped', async () => {
      const { store } = at()
      const [a, b] = [organizationOf(newTenant()), organizationOf(newTenant())]
      expect(await store.organizations.create(everyone, a)).toBe('created')
      expect(await store.organizations.create(everyone, b)).toBe('created')
      expect(await store.organizations.byId(everyone, [a.id, uuid<OrganizationId>()])).toEqual([a])
      expect(await store.organizations.byCode(everyone, [b.code, newCode()])).toEqual([b])
      expect(await store.organizations.byCode(everyone, [b.code.toLowerCase()])).toEqual([])
      expect(await store.organizations.byCode(everyone, [])).toEqual([])
    })

    test('a code exists if it is taken in any case, also when several callers create it at once', async () => {
      const { store } = at()
      const other = (await at().second()) ?? store
      const tenant = newTenant()
      const results = await Promise.all(
        numbersTo(6).map((n) => {
          const id = uuid<OrganizationId>()
          const code = n % 2 ? tenant.code : tenant.code.toLowerCase()
          return (n % 3 ? store : other).organizations.create(everyone, organizationOf({ ...tenant, id, code }))
        }),
      )
      expect(results.filter((result) => result === 'created')).toHaveLength(1)
      expect(await store.organizations.byCode(everyone, [tenant.code, tenant.code.toLowerCase()])).toHaveLength(1)
    })

    test('are listed by lower-case code, page by page', async () => {
      const { store } = at()
      const prefix = newCode()
      const codes = ['b', 'C', 'a', 'D'].map((letter) => `${prefix}-${letter}`)
      for (const code of codes) await store.organizations.create(everyone, organizationOf({ ...newTenant(), code }))
      const first = await store.organizations.list(everyone, { after: `${prefix.toLowerCase()}-`, limit: 3 })
      expect(first.items.map(({ code }) => code)).toEqual([codes[2], codes[0], codes[1]])
      expect(first.more).toBe(true)
      const next = await store.organizations.list(everyone, { after: `${prefix.toLowerCase()}-c`, limit: 1 })
      expect(next.items.map(({ code }) => code)).toEqual([codes[3]])
    })

    test('survive a restart', async () => {
      const organization = organizationOf(newTenant())
      await at().store.organizations.create(everyone, organization)
      await at().reopen()
      expect(await at().store.organizations.byId(everyone, [organization.id])).toEqual([organization])
    })
  })

  describe('providers', () => {
    test('are found by code in any case, and are unique in any case', async () => {
      const { store } = at()
      const provider = providerOf(newCode())
      expect(await store.providers.create(everyone, provider)).toBe('created')
      expect(await store.providers.create(everyone, providerOf(provider.code.toLowerCase()))).toBe('exists')
      expect(await store.providers.byCode(everyone, [provider.code.toLowerCase(), newCode()])).toEqual([provider])
    })

    test('are listed by lower-case code, page by page', async () => {
      const { store } = at()
      const prefix = newCode()
      for (const letter of ['b', 'C', 'a']) await store.providers.create(everyone, providerOf(`${prefix}-${letter}`))
      const page = await store.providers.list(everyone, { after: `${prefix.toLowerCase()}-`, limit: 2 })
      expect(page.items.map(({ code }) => code)).toEqual([`${prefix}-a`, `${prefix}-b`])
      expect(page.more).toBe(true)
      const next = await store.providers.list(everyone, { after: `${prefix.toLowerCase()}-b`, limit: 1 })
      expect(next.items.map(({ code }) => code)).toEqual([`${prefix}-C`])
    })
  })

  describe('settings', () => {
    test('are set once, and every caller gets the stored value', async () => {
      const { store } = at()
      const other = (await at().second()) ?? store
      const name = `setting ${newCode()}`
      const heard = await Promise.all(numbersTo(6).map((n) => (n % 2 ? store : other).settings.settle(everyone, name, `value ${n}`)))
      expect(new Set(heard).size).toBe(1)
      expect(heard[0]).toMatch(/^value \d$/)
      await at().reopen()
      expect(await at().store.settings.settle(everyone, name, 'later')).toBe(heard[0])
    })
  })

  test('the store answers a ping', async () => {
    await expect(at().store.ping()).resolves.toBeUndefined()
  })
}
