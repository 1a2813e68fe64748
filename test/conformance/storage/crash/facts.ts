import { expect, test } from 'vitest'
import { closedAs, nameOf } from '../../../../runtime/domain/index.ts'
import { newDecision } from '../decisions/decisions.ts'
import { claimOf, endOf, everyone, insertOne, mustClaim, newAlert, noon, openSession } from '../fixtures.ts'
import { listening } from '../webhooks/outbox.ts'
import { type Aggregates, type At, deaths } from './bench.ts'

/** Checks that no fact is missing from the outbox, and that none is there twice. */
export function factCrashes(at: At): void {
  test.each(deaths(8))('a run that fails: %s', async (_, survives) => {
    const { store, dieAt } = at()
    const tenant = await listening(store, ['case.opened', 'run.failed'])
    const alert = await insertOne(store, newAlert(tenant))
    const session = await openSession(store)
    const failing = { state: 'failed', at: noon + 60 } as const
    const died = await dieAt(survives, async (doomed) => {
      const claimed = await mustClaim({ ...store, ...doomed }, claimOf(alert, session))
      await doomed.runs.end(everyone, endOf(claimed.run.id, 1, claimed.position, failing))
    })
    expect(died).toBe(true)
    await store.sessions.close(everyone, session)
    await store.runs.settle(everyone, 99)
    const again = await store.runs.claim(everyone, claimOf(alert, await openSession(store)))
    if (again.kind === 'claimed') await store.runs.end(everyone, endOf(again.run.id, again.run.epoch, again.position, failing))
    const [run] = await store.runs.ofAlert(everyone, alert.uuid)
    const facts = await store.outbox.pending(tenant.scope, 9)
    expect(facts.map(nameOf).sort((a, b) => (a.type < b.type ? -1 : 1))).toEqual([
      { type: 'case.opened', subject: run!.case },
      { type: 'run.failed', subject: run!.id },
    ])
    // Repairing it again does not make a new fact.
    await store.outbox.clear(everyone, facts.map(nameOf))
    await store.runs.settle(everyone, 99)
    expect(await store.outbox.pending(tenant.scope, 9)).toEqual([])
  })

  test.each(deaths(2))('a decision that is opened and closed: %s', async (_, survives) => {
    const { store, dieAt } = at()
    const tenant = await listening(store, ['decision.opened', 'decision.closed'])
    const decision = newDecision(tenant)
    const both = async ({ decisions }: Aggregates): Promise<void> => {
      const standing = await decisions.open(everyone, decision)
      if (standing.state === 'open') await decisions.revise(everyone, closedAs(standing, 'expired', noon))
    }
    expect(await dieAt(survives, both)).toBe(true)
    await both(store)
    expect((await store.outbox.pending(tenant.scope, 9)).map(({ type }) => type).sort()).toEqual(['decision.closed', 'decision.opened'])
  })
}
