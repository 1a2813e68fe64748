import { expect, test } from 'vitest'
import type { DecisionId, Principal, PrincipalId } from '../../../../runtime/domain/index.ts'
import { DecisionService } from '../../../../runtime/engine/index.ts'
import { isTocsinError } from '../../../../runtime/errors/index.ts'
import type { Store } from '../../../../runtime/storage/index.ts'
import { ManualClock } from '../../../support/clocks/manual-clock.ts'
import { claimOf, everyone, insertOne, mustClaim, newAlert, newPrincipal, newTenant, openSession, uuid } from '../fixtures.ts'
import type { At } from '../harness.ts'
import { newDecision } from './decisions.ts'

/** Returns stores of two processes. Both read the decision before the first one changes it. Then the second one tries to. */
function atTheSameMoment(one: Store, other: Store): readonly [Store, Store] {
  const read = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  const changed = Promise.withResolvers<void>()
  const process = (store: Store, own: 0 | 1): Store => {
    const get: Store['decisions']['get'] = async (scope, id) => {
      const found = await store.decisions.get(scope, id)
      read[own].resolve()
      await Promise.all(read.map(({ promise }) => promise))
      return found
    }
    const revise: Store['decisions']['revise'] = async (scope, next) => {
      if (own === 1) await changed.promise
      const result = await store.decisions.revise(scope, next)
      changed.resolve()
      return result
    }
    return { ...store, decisions: { ...store.decisions, get, revise } }
  }
  return [process(one, 0), process(other, 1)]
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

  /** Both approve at the same moment. The store takes the answer of the first one first. */
  async function together(first: Principal, second: Principal): Promise<{ readonly said: readonly string[]; readonly answers: number | undefined }> {
    const { store } = at()
    const id = await opened()
    const [here, there] = atTheSameMoment(store, (await at().second()) ?? store)
    const said = await Promise.all([approve(here, first, id), approve(there, second, id)])
    return { said, answers: (await store.decisions.get(everyone, id))?.answers.length }
  }

  test('of two approvals at the same moment, by a principal and one that it made, only one counts', async () => {
    const ada = await somebody(null)
    const made = await somebody((await somebody(ada.id)).id)
    expect(await together(ada, made)).toEqual({ said: ['open', 'decision_one_person'], answers: 1 })
    expect(await together(made, ada)).toEqual({ said: ['open', 'decision_one_person'], answers: 1 })
  })

  test('two approvals at the same moment, by principals that a third one made, both count', async () => {
    const root = await somebody(null)
    expect(await together(await somebody(root.id), await somebody(root.id))).toEqual({ said: ['open', 'approved'], answers: 2 })
  })
}
