import { expect, test } from 'vitest'
import { closedAs, type EventType, type Fact, nameOf, type Webhook } from '../../../../runtime/domain/index.ts'
import type { Store } from '../../../../runtime/storage/index.ts'
import { newDecision } from '../decisions/decisions.ts'
import {
  claimOf,
  ended,
  endOf,
  everyone,
  insertOne,
  investigated,
  joining,
  mustClaim,
  mustClaimUndo,
  newAlert,
  newTenant,
  newWebhook,
  noon,
  numbersTo,
  openSession,
  type Tenant,
  undoOf,
} from '../fixtures.ts'
import type { At } from '../harness.ts'

/** Returns an organization with a webhook that wants such events. */
export async function listening(store: Store, events: readonly EventType[], parts: Partial<Webhook> = {}): Promise<Tenant> {
  const tenant = newTenant()
  await store.webhooks.create(everyone, newWebhook(tenant.id, { events, ...parts }))
  return tenant
}

const names = (facts: readonly Fact[]): string[] => facts.map((fact) => Object.values(nameOf(fact)).join(' ')).sort()

export function outboxCases(at: At): void {
  test('an opened case is there with its document, also after a restart, until it is cleared', async () => {
    const tenant = await listening(at().store, ['case.opened'])
    const { claimed } = await investigated(at().store, tenant)
    await at().reopen()
    const { outbox, cases } = at().store
    const found = await outbox.pending(tenant.scope, 9)
    expect(found).toEqual([{ type: 'case.opened', case: await cases.get(everyone, claimed.run.case) }])
    await outbox.clear(everyone, found.map(nameOf))
    await outbox.clear(everyone, found.map(nameOf))
    expect(await outbox.pending(tenant.scope, 9)).toEqual([])
  })

  test('an alert that joins a case opens none', async () => {
    const { store } = at()
    const tenant = await listening(store, ['case.opened'])
    const session = await openSession(store)
    const alerts = [await insertOne(store, newAlert(tenant)), await insertOne(store, newAlert(tenant))]
    for (const alert of alerts) await mustClaim(store, joining(claimOf(alert, session), { key: 'k', within: 60_000 }))
    expect(await store.outbox.pending(tenant.scope, 9)).toMatchObject([{ type: 'case.opened', case: { alerts: [{}, {}] } }])
  })

  test('a failed run is there with its case; a completed run is not', async () => {
    const { store } = at()
    const tenant = await listening(store, ['run.failed'])
    await ended(store, tenant, 'completed')
    const { claimed } = await ended(store, tenant, 'failed')
    const [run, its] = [await store.runs.get(everyone, claimed.run.id), await store.cases.get(everyone, claimed.run.case)]
    expect(run).toMatchObject({ state: 'failed' })
    expect(await store.outbox.pending(tenant.scope, 9)).toEqual([{ type: 'run.failed', run, case: its }])
    await store.outbox.clear(everyone, [{ type: 'run.failed', subject: claimed.run.id }])
    expect(await store.outbox.pending(tenant.scope, 9)).toEqual([])
    expect(await store.runs.get(everyone, claimed.run.id)).toEqual(run)
  })

  test('a failed undo is there like any other failed run', async () => {
    const { store } = at()
    const tenant = await listening(store, ['run.failed'])
    const { claimed } = await ended(store, tenant)
    const undoing = await store.runs.openUndo(everyone, undoOf(claimed.run.id))
    const { position } = await mustClaimUndo(store, undoing!.id)
    await store.runs.end(everyone, endOf(undoing!.id, 1, position, { state: 'failed', at: noon + 300 }))
    expect(await store.outbox.pending(tenant.scope, 9)).toMatchObject([
      { type: 'run.failed', run: { id: undoing!.id, undo: { run: claimed.run.id } }, case: { uuid: claimed.run.case } },
    ])
  })

  test('opening and closing a decision are two facts, and each is cleared separately', async () => {
    const { outbox, decisions } = at().store
    const tenant = await listening(at().store, ['decision.opened', 'decision.closed'])
    const decision = newDecision(tenant)
    await decisions.open(everyone, decision)
    await decisions.open(everyone, decision)
    expect(await outbox.pending(tenant.scope, 9)).toEqual([{ type: 'decision.opened', decision, case: null }])
    const answered = { ...decision, answers: [], revision: 2 }
    await decisions.revise(everyone, answered)
    expect(names(await outbox.pending(tenant.scope, 9))).toEqual([`decision.opened ${decision.id}`])
    await decisions.revise(everyone, closedAs(answered, 'withdrawn', noon))
    expect(names(await outbox.pending(tenant.scope, 9))).toEqual([`decision.closed ${decision.id}`, `decision.opened ${decision.id}`])
    await outbox.clear(everyone, [{ type: 'decision.opened', subject: decision.id }])
    expect(names(await outbox.pending(tenant.scope, 9))).toEqual([`decision.closed ${decision.id}`])
    await outbox.clear(everyone, [{ type: 'decision.closed', subject: decision.id }])
    await decisions.open(everyone, decision)
    expect(await outbox.pending(tenant.scope, 9)).toEqual([])
    expect(await decisions.untold(tenant.scope, 9)).toHaveLength(1)
  })

  test('of decisions that were closed, those that were closed first come first, whenever they were opened', async () => {
    const { outbox, decisions } = at().store
    const tenant = await listening(at().store, ['decision.closed'])
    const [early, late] = [newDecision(tenant), newDecision(tenant, { askedAt: noon + 1 })]
    for (const decision of [early, late]) await decisions.open(everyone, decision)
    await decisions.revise(everyone, closedAs(late, 'withdrawn', noon + 2))
    await decisions.revise(everyone, closedAs(early, 'withdrawn', noon + 3))
    expect(names(await outbox.pending(tenant.scope, 1))).toEqual([`decision.closed ${late.id}`])
  })

  test('a fact that no webhook wants is not marked: another event, another organization, or a disabled webhook', async () => {
    const { store } = at()
    const tenants = [
      newTenant(),
      await listening(store, ['decision.opened']),
      await listening(store, ['case.opened', 'run.failed'], { disabled: 'by_hand' }),
    ]
    for (const tenant of tenants) {
      await ended(store, tenant, 'failed')
      expect(await store.outbox.pending(tenant.scope, 9)).toEqual([])
    }
  })

  test('a webhook of all organizations is told about each', async () => {
    const { store } = at()
    const webhook = newWebhook(null, { events: ['run.failed'] })
    await store.webhooks.create(everyone, webhook)
    const tenant = newTenant()
    await ended(store, tenant, 'failed')
    await store.webhooks.remove(everyone, webhook.id)
    expect(await store.outbox.pending(tenant.scope, 9)).toMatchObject([{ type: 'run.failed' }])
  })

  test('each type has its own limit, however many facts of other types there are', async () => {
    const { store } = at()
    const tenant = await listening(store, ['case.opened', 'run.failed'])
    for (const _ of numbersTo(3)) await ended(store, tenant, 'failed')
    const types = (await store.outbox.pending(tenant.scope, 2)).map(({ type }) => type)
    expect(types.sort()).toEqual(['case.opened', 'case.opened', 'run.failed', 'run.failed'])
    expect(await store.outbox.pending(tenant.scope, 9)).toHaveLength(6)
  })
}
