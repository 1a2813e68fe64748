import { expect, test } from 'vitest'
import type { Webhook } from '../../../../runtime/domain/index.ts'
import { everyone, newDelivery, newTenant, newWebhook, noon, numbersTo, uuid } from '../fixtures.ts'
import type { At } from '../harness.ts'

export function webhookCases(at: At): void {
  test('a webhook is read as it was created, also after a restart', async () => {
    const tenant = newTenant()
    const made = newWebhook(tenant.id, { previous: { secret: { v: 1, key: 'k', data: 'e' }, until: noon } })
    await at().store.webhooks.create(tenant.scope, made)
    await at().reopen()
    expect(await at().store.webhooks.get(tenant.scope, made.id)).toEqual(made)
    expect(await at().store.webhooks.get(everyone, uuid())).toBeNull()
  })

  test('they are listed by id, in pages', async () => {
    const { webhooks } = at().store
    const tenant = newTenant()
    const made = numbersTo(5).map(() => newWebhook(tenant.id))
    for (const webhook of made) await webhooks.create(everyone, webhook)
    const first = await webhooks.list(tenant.scope, { after: null, limit: 3 })
    expect(first).toEqual({ items: made.slice(0, 3), more: true })
    expect(await webhooks.list(tenant.scope, { after: first.items[2]!.id, limit: 3 })).toEqual({ items: made.slice(3), more: false })
  })

  test('they are counted for each organization, and separately for all organizations, including disabled ones', async () => {
    const { webhooks } = at().store
    const [tenant, other] = [newTenant(), newTenant()]
    const ofAll = await webhooks.count(everyone, null)
    for (const webhook of [newWebhook(tenant.id), newWebhook(tenant.id, { disabled: 'by_hand' }), newWebhook(other.id)])
      await webhooks.create(everyone, webhook)
    await webhooks.create(everyone, newWebhook(null, { disabled: 'by_hand' }))
    expect(await webhooks.count(everyone, tenant.id)).toBe(2)
    expect(await webhooks.count(everyone, other.id)).toBe(1)
    expect(await webhooks.count(everyone, null)).toBe(ofAll + 1)
  })

  test('enabled returns those that nobody has disabled', async () => {
    const { webhooks } = at().store
    const tenant = newTenant()
    const [on, off] = [newWebhook(tenant.id), newWebhook(tenant.id, { disabled: 'by_hand' })]
    for (const webhook of [on, off]) await webhooks.create(everyone, webhook)
    expect(await webhooks.enabled(tenant.scope)).toEqual([on])
    await webhooks.revise(everyone, { ...on, disabled: 'gone', revision: 2 })
    await webhooks.revise(everyone, { ...off, disabled: null, revision: 2 })
    expect(await webhooks.enabled(tenant.scope)).toEqual([{ ...off, disabled: null, revision: 2 }])
  })

  test('only one of several concurrent changes is made', async () => {
    const { store } = at()
    const stores = [store, (await at().second()) ?? store]
    const tenant = newTenant()
    const made = newWebhook(tenant.id)
    await store.webhooks.create(everyone, made)
    const next = (n: number): Webhook => ({ ...made, description: `${n}`, revision: 2 })
    const results = await Promise.all(numbersTo(8).map((n) => stores[n % 2]?.webhooks.revise(everyone, next(n))))
    expect(results.sort()).toEqual([...Array<string>(7).fill('changed'), 'revised'])
    expect(await store.webhooks.revise(everyone, next(9))).toBe('changed')
    expect(await store.webhooks.revise(everyone, newWebhook(tenant.id, { revision: 2 }))).toBe('changed')
  })

  test('removing a webhook removes its deliveries, and no others', async () => {
    const { webhooks, deliveries } = at().store
    const tenant = newTenant()
    const [gone, stays] = [newWebhook(tenant.id), newWebhook(tenant.id)]
    for (const webhook of [gone, stays]) await webhooks.create(everyone, webhook)
    const [lost, kept] = [newDelivery(gone), newDelivery(stays)]
    await deliveries.add(everyone, [lost, kept])
    expect(await webhooks.remove(everyone, gone.id)).toBe(true)
    expect(await webhooks.remove(everyone, gone.id)).toBe(false)
    expect(await webhooks.get(everyone, gone.id)).toBeNull()
    expect(await deliveries.get(everyone, lost.id)).toBeNull()
    expect(await deliveries.get(everyone, kept.id)).toMatchObject({ state: 'waiting' })
  })
}
