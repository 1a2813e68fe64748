import { expect, test } from 'vitest'
import type { DecisionId, Principal, PrincipalId } from '../../../../runtime/domain/index.ts'
import { DecisionService } from '../../../../runtime/engine/index.ts'
import { isTocsinError } from '../../../../runtime/errors/index.ts'
import type { Store } from '../../../../runtime/storage/index.ts'
import { ManualClock } from '../../../support/clocks/manual-clock.ts'
import { claimOf, everyone, insertOne, mustClaim, newAlert, newPrincipal, newTenant, openSession, uuid } from '../fixtures.ts'
import type { At } from '../harness.ts'
import { newDecision } from './decisions.ts'

/** Returns stores of two processes. Each reads the decision before either of them changes it. */
function readingTogether(stores: readonly [Store, Store]): readonly Store[] {
  const waiting = Promise.withResolvers<void>()
  let readers = 0
  const together = (store: Store): Store['decisions']['get'] => {
    let first = true
    return async (scope, id) => {
      const found = await store.decisions.get(scope, id)
      if (first && ++readers === stores.length) waiting.resolve()
      first = false
      await waiting.promise
      return found
    }
  }
  return stores.map((store) => ({ ...store, decisions: { ...store.decisions, get: together(store) } }))
}

/** Approves in the process of a store. Returns the decision's new state, or the code of the refusal. */
async function approve(store: Store, principal: Principal, id: DecisionId): Promise<string> {
  const desk = new DecisionService(store, { enqueue: async () => {} }, new ManualClock())
  const answered = desk.answer(principal, id, { verdict: 'approve', reason: null, output: null })
  return answered.then(
    ({ state }) => state,
    (error: unknown) => (isTocsinError(error) ? error.code : String(error)),
  )
}

export function severalPeopleCases(at: At): void {
  async function somebody(createdBy: PrincipalId | null): Promise<Principal> {
    const principal: Principal = { ...newPrincipal('all'), id: uuid<PrincipalId>(), permissions: ['admin'], createdAt: 0, createdBy }
    await at().store.principals.create(everyone, principal)
    return principal
  }

  /** Opens a decision of a run that goes on. It needs two people. */
  async function opened(): Promise<DecisionId> {
    const { store } = at()
    const tenant = newTenant()
    const { run } = await mustClaim(store, claimOf(await insertOne(store, newAlert(tenant)), await openSession(store)))
    return (await store.decisions.open(everyone, newDecision(tenant, { run: run.id, alert: run.alert, case: run.case, approvers: 2 }))).id
  }

  async function together(one: Principal, other: Principal): Promise<{ readonly said: readonly string[]; readonly answers: number | undefined }> {
    const { store } = at()
    const id = await opened()
    const [here, there] = readingTogether([store, (await at().second()) ?? store]) as [Store, Store]
    const said = await Promise.all([approve(here, one, id), approve(there, other, id)])
    return { said: said.toSorted(), answers: (await store.decisions.get(everyone, id))?.answers.length }
  }

  test('of two approvals at the same moment, by a principal and one that it made, only one counts', async () => {
    const ada = await somebody(null)
    const made = await somebody((await somebody(ada.id)).id)
    expect(await together(ada, made)).toEqual({ said: ['decision_one_person', 'open'], answers: 1 })
    expect(await together(made, ada)).toEqual({ said: ['decision_one_person', 'open'], answers: 1 })
  })

  test('two approvals at the same moment, by principals that a third one made, both count', async () => {
    const root = await somebody(null)
    expect(await together(await somebody(root.id), await somebody(root.id))).toEqual({ said: ['approved', 'open'], answers: 2 })
  })
}
