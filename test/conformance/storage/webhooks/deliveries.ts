import { expect, test } from 'vitest'
import { asId } from '../../../../runtime/domain/index.ts'
import { everyone, newDelivery, newTenant, newWebhook, noon, numbersTo, uuid } from '../fixtures.ts'
import type { At } from '../harness.ts'

const attempt = { at: noon + 5, status: 500, error: 'answered 500' }
const minute = 60_000

export function deliveryCases(at: At): void {
  /** Returns a webhook of its own, and what one process does with its deliveries. */
  const arranged = () => {
    const { deliveries } = at().store
    const webhook = newWebhook(newTenant().id)
    const lease = (limit = 99, holder = uuid<string>()) => deliveries.lease(everyone, webhook.id, { holder, duration: minute, limit })
    return { deliveries, webhook, lease }
  }

  test('a new delivery waits, is due at once, and is read as it was added, also after a restart', async () => {
    const { webhook, deliveries } = arranged()
    const made = newDelivery(webhook)
    await deliveries.add(everyone, [made])
    await at().reopen()
    const read = await at().store.deliveries.get(everyone, made.id)
    expect(read).toEqual({ ...made, state: 'waiting', attempts: 0, lastAttempt: null, nextAttemptAt: expect.any(Number) })
    expect(await at().store.deliveries.due(everyone)).toContain(webhook.id)
  })

  test('a delivery that several callers add at once exists once, and adding it again changes nothing', async () => {
    const { webhook, deliveries, lease } = arranged()
    const stores = [deliveries, (await at().second())?.deliveries ?? deliveries]
    const [made, other] = [newDelivery(webhook), newDelivery(webhook)]
    await Promise.all(numbersTo(8).map((n) => stores[n % 2]?.add(everyone, [made, other])))
    const [first] = await lease()
    await deliveries.settle(everyone, made.id, 'somebody else', { kind: 'dead', attempt })
    await deliveries.add(everyone, [{ ...made, body: 'another' }])
    expect((await deliveries.list(everyone, { webhook: webhook.id, after: null, limit: 9 })).items.map(({ body }) => body)).toEqual([
      made.body,
      made.body,
    ])
    expect(first?.body).toBe(made.body)
  })

  test('they are listed newest first, in pages and by state', async () => {
    const { webhook, deliveries, lease } = arranged()
    const made = numbersTo(5).map((n) => newDelivery(webhook, { createdAt: noon + Math.floor(n / 2) }))
    await deliveries.add(everyone, made)
    const ids = made.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)).map(({ id }) => id)
    const first = await deliveries.list(everyone, { webhook: webhook.id, after: null, limit: 3 })
    const rest = await deliveries.list(everyone, { webhook: webhook.id, after: first.items[2]!, limit: 3 })
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(ids)
    expect([first.more, rest.more]).toEqual([true, false])
    const [one] = await lease(1, 'h')
    await deliveries.settle(everyone, one!.id, 'h', { kind: 'dead', attempt })
    expect((await deliveries.list(everyone, { webhook: webhook.id, states: ['dead'], after: null, limit: 9 })).items.map(({ id }) => id)).toEqual([
      one!.id,
    ])
    expect((await deliveries.list(everyone, { webhook: webhook.id, states: ['waiting', 'delivered'], after: null, limit: 9 })).items).toHaveLength(4)
  })

  test('each goes to only one of several concurrent leases', async () => {
    const { webhook, deliveries, lease } = arranged()
    const other = (await at().second())?.deliveries ?? deliveries
    const made = numbersTo(20).map(() => newDelivery(webhook))
    await deliveries.add(everyone, made)
    const second = (): ReturnType<typeof lease> => other.lease(everyone, webhook.id, { holder: uuid(), duration: minute, limit: 7 })
    const taken = (await Promise.all([lease(7), second(), lease(7), second()])).flat()
    taken.push(...(await lease()))
    expect(taken.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort())
    expect(await lease()).toEqual([])
    expect(await deliveries.due(everyone)).not.toContain(webhook.id)
  })

  test('a delivery whose holder died is due again when the lease expires, and that holder can no longer settle it', async () => {
    const { webhook, deliveries, lease } = arranged()
    const made = newDelivery(webhook)
    await deliveries.add(everyone, [made])
    expect(await lease(9, 'dead')).toHaveLength(1)
    expect(await lease()).toEqual([])
    await at().pass(minute + 1)
    expect(await lease(9, 'living')).toMatchObject([{ id: made.id, attempts: 0 }])
    expect(await deliveries.settle(everyone, made.id, 'dead', { kind: 'delivered', attempt })).toBe(false)
    expect(await deliveries.settle(everyone, made.id, 'living', { kind: 'delivered', attempt: { ...attempt, status: 200, error: null } })).toBe(true)
    expect(await deliveries.get(everyone, made.id)).toMatchObject({
      state: 'delivered',
      attempts: 1,
      nextAttemptAt: null,
      lastAttempt: { at: noon + 5, status: 200, error: null },
    })
    await at().pass(minute + 1)
    expect(await lease()).toEqual([])
  })

  test('a delivery that will be tried again is due after its delay, and says how old it is', async () => {
    const { webhook, deliveries, lease } = arranged()
    const made = newDelivery(webhook)
    await deliveries.add(everyone, [made])
    await lease(9, 'h')
    await deliveries.settle(everyone, made.id, 'h', { kind: 'again', attempt, delay: 5 * minute })
    expect(await deliveries.get(everyone, made.id)).toMatchObject({ state: 'waiting', attempts: 1, lastAttempt: attempt })
    await at().pass(4 * minute)
    expect(await lease()).toEqual([])
    await at().pass(minute + 1)
    const [again] = await lease()
    expect(again).toMatchObject({ id: made.id, attempts: 1 })
    expect(again!.age).toBeGreaterThan(5 * minute)
    expect(again!.age).toBeLessThan(7 * minute)
  })

  test('a released delivery is due at once, with no attempt counted', async () => {
    const { webhook, deliveries, lease } = arranged()
    const made = newDelivery(webhook)
    await deliveries.add(everyone, [made])
    await lease(9, 'h')
    expect(await deliveries.settle(everyone, made.id, 'h', { kind: 'released' })).toBe(true)
    expect(await lease()).toMatchObject([{ id: made.id, attempts: 0, lastAttempt: null }])
  })

  test('abandon gives up everything that waits for a webhook; ended deliveries do not change', async () => {
    const { webhook, deliveries, lease } = arranged()
    const other = newWebhook(webhook.organization)
    const made = numbersTo(3).map(() => newDelivery(webhook))
    await deliveries.add(everyone, [...made, newDelivery(other)])
    const [first] = await lease(1, 'h')
    await deliveries.settle(everyone, first!.id, 'h', { kind: 'delivered', attempt })
    await lease(1, 'h')
    const gone = { at: noon, status: null, error: 'the webhook is disabled' }
    expect(await deliveries.abandon(everyone, webhook.id, gone)).toBe(2)
    const { items } = await deliveries.list(everyone, { webhook: webhook.id, states: ['dead'], after: null, limit: 9 })
    expect(items.map(({ lastAttempt }) => lastAttempt)).toEqual([gone, gone])
    expect((await deliveries.list(everyone, { webhook: other.id, states: ['waiting'], after: null, limit: 9 })).items).toHaveLength(1)
    expect(await deliveries.settle(everyone, items[0]!.id, 'h', { kind: 'delivered', attempt })).toBe(false)
  })

  test('a delivery that is requested again waits as if it were new, whatever its state', async () => {
    const { webhook, deliveries, lease } = arranged()
    const made = newDelivery(webhook)
    await deliveries.add(everyone, [made])
    await lease(9, 'h')
    await deliveries.settle(everyone, made.id, 'h', { kind: 'dead', attempt })
    expect(await deliveries.again(everyone, made.id)).toMatchObject({ state: 'waiting', attempts: 0, event: made.event })
    expect(await deliveries.again(everyone, asId('none'))).toBeNull()
    const [leased] = await lease()
    expect(leased).toMatchObject({ id: made.id })
    expect(leased!.age).toBeLessThan(minute)
  })

  test('deliveries that ended long ago are removed, a few at a time', async () => {
    const { webhook, deliveries, lease } = arranged()
    const made = numbersTo(4).map(() => newDelivery(webhook))
    await deliveries.add(everyone, made)
    const [a, b, c] = await lease(3, 'h')
    for (const { id } of [a!, b!]) await deliveries.settle(everyone, id, 'h', { kind: 'delivered', attempt })
    await deliveries.settle(everyone, c!.id, 'h', { kind: 'dead', attempt })
    const scope = { organizations: [webhook.organization!] }
    expect(await deliveries.prune(scope, 'delivered', 10 * minute, 9)).toBe(0)
    await at().pass(11 * minute)
    expect(await deliveries.prune(scope, 'delivered', 10 * minute, 1)).toBe(1)
    expect(await deliveries.prune(scope, 'delivered', 10 * minute, 9)).toBe(1)
    const left = await deliveries.list(everyone, { webhook: webhook.id, after: null, limit: 9 })
    expect(left.items.map(({ state }) => state).sort()).toEqual(['dead', 'waiting'])
  })
}
