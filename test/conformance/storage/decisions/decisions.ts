import { expect, test } from 'vitest'
import {
  asId,
  type CaseUuid,
  closedAs,
  type Decision,
  type DecisionAnswer,
  type DecisionId,
  type Digest,
  deadlineOf,
  type PrincipalId,
  type RunId,
  withAnswer,
} from '../../../../runtime/domain/index.ts'
import {
  claimOf,
  ended,
  everyone,
  insertOne,
  mustClaim,
  newAlert,
  newPrincipal,
  newTenant,
  noon,
  numbersTo,
  openSession,
  type Tenant,
  uuid,
} from '../fixtures.ts'
import type { At } from '../harness.ts'

export function newDecision(tenant: Tenant, parts: Partial<Decision> = {}): Decision {
  const alert = uuid<never>()
  return {
    id: uuid<DecisionId>(),
    kind: 'approval',
    organization: tenant.id,
    run: asId<RunId>(`${alert}-r1`),
    alert,
    case: uuid<CaseUuid>(),
    caseId: `${tenant.code}-1`,
    playbook: { name: 'phishing-reported', digest: asId<Digest>('sha256:a') },
    step: 'decide/ask',
    title: 'Suspend ada?',
    actions: [
      {
        step: 'suspend',
        skill: 'mfa.suspend_mfa_user',
        connection: { id: 'c', revision: 2, instance: 'prod' },
        target: 'ada',
        input: { username: 'ada', 'a.b': [{ $set: null }] },
        digest: 'd',
      },
    ],
    by: [],
    approvers: 1,
    askedAt: noon,
    expiresAt: null,
    state: 'open',
    answers: [],
    closedAt: null,
    revision: 1,
    ...parts,
  }
}

/** Returns the decision with one more approval, by a new person. */
function approved(decision: Decision, by = 'eve', at = noon + 5): Decision {
  const principal = { ...newPrincipal('all'), id: uuid<PrincipalId>(), permissions: ['admin'] as const }
  const answer: DecisionAnswer = { principal: principal.id, by, verdict: 'approve', reason: null, output: null, at }
  const next = withAnswer(decision, principal, answer, new Map())
  if (typeof next === 'string') throw new Error(`The answer was refused: ${next}.`)
  return next
}

export function decisionCases(at: At): void {
  test('a decision is opened once; whoever opens it again gets the stored one', async () => {
    const { store } = at()
    const decision = newDecision(newTenant())
    expect(await store.decisions.open(everyone, decision)).toEqual(decision)
    const next = approved(decision)
    await store.decisions.revise(everyone, next)
    expect(await store.decisions.open(everyone, { ...decision, title: 'Another?', askedAt: noon + 9 })).toEqual(next)
    expect(await store.decisions.get(everyone, decision.id)).toEqual(next)
  })

  test('an unknown decision is null', async () => {
    expect(await at().store.decisions.get(everyone, uuid<DecisionId>())).toBeNull()
  })

  test('only one of several changes at once is made', async () => {
    const { store } = at()
    const other = (await at().second()) ?? store
    const decision = await store.decisions.open(everyone, newDecision(newTenant()))
    const changes = numbersTo(6).map((n) => approved(decision, `person ${n}`))
    const results = await Promise.all(changes.map((next, index) => (index % 2 ? store : other).decisions.revise(everyone, next)))
    expect([...results].sort()).toEqual(['changed', 'changed', 'changed', 'changed', 'changed', 'revised'])
    expect(await store.decisions.get(everyone, decision.id)).toEqual(changes[results.indexOf('revised')])
  })

  test('a change based on another revision than the stored one is refused', async () => {
    const { store } = at()
    const decision = await store.decisions.open(everyone, newDecision(newTenant(), { approvers: 3 }))
    const first = approved(decision)
    expect(await store.decisions.revise(everyone, first)).toBe('revised')
    expect(await store.decisions.revise(everyone, first)).toBe('changed')
    expect(await store.decisions.revise(everyone, approved(first))).toBe('revised')
    expect((await store.decisions.get(everyone, decision.id))?.revision).toBe(3)
  })

  test('closed decisions are untold until they are told', async () => {
    const { store } = at()
    const tenant = newTenant()
    const [open, halfway, closed, expired] = await Promise.all([
      store.decisions.open(everyone, newDecision(tenant)),
      store.decisions.open(everyone, newDecision(tenant, { approvers: 2 })),
      store.decisions.open(everyone, newDecision(tenant)),
      store.decisions.open(everyone, newDecision(tenant)),
    ])
    await store.decisions.revise(everyone, approved(halfway))
    await store.decisions.revise(everyone, approved(closed))
    await store.decisions.revise(everyone, closedAs(expired, 'expired', noon + 7))
    const ids = async (): Promise<string[]> => (await store.decisions.untold(tenant.scope, 9)).map(({ id }) => id).sort()
    expect(await ids()).toEqual([closed.id, expired.id].sort())
    expect(await store.decisions.untold(tenant.scope, 1)).toHaveLength(1)
    await store.decisions.told(everyone, closed.id)
    await store.decisions.told(everyone, open.id)
    expect(await ids()).toEqual([expired.id])
    expect(await store.decisions.get(everyone, closed.id)).toMatchObject({ state: 'approved' })
    // One that is open again has nothing to tell.
    await store.decisions.revise(everyone, { ...expired, revision: 3 })
    expect(await ids()).toEqual([])
  })

  test('a list is newest first, page by page, each decision once', async () => {
    const { store } = at()
    const tenant = newTenant()
    const times = [noon + 3, noon + 1, noon + 2, noon + 2, noon + 2]
    const all = await Promise.all(times.map((askedAt) => store.decisions.open(everyone, newDecision(tenant, { askedAt }))))
    const expected = [...all].sort((a, b) => b.askedAt - a.askedAt || (a.id < b.id ? 1 : -1))
    const met: Decision[] = []
    let after: { askedAt: number; id: DecisionId } | null = null
    for (let more = true; more; ) {
      const page = await store.decisions.list(everyone, { organizations: [tenant.id], after, limit: 2 })
      met.push(...page.items)
      more = page.more
      const last = page.items.at(-1)
      after = last ? { askedAt: last.askedAt, id: last.id } : null
    }
    expect(met).toEqual(expected)
  })

  test('open decisions are listed by deadline, page by page; those without one are last', async () => {
    const { store } = at()
    const tenant = newTenant()
    const deadlines = [null, noon + 3, noon + 1, noon + 2, null, noon + 2]
    const all: Decision[] = []
    for (const expiresAt of deadlines) all.push(await store.decisions.open(everyone, newDecision(tenant, { expiresAt })))
    await store.decisions.revise(everyone, approved(await store.decisions.open(everyone, newDecision(tenant, { expiresAt: noon + 9 }))))
    const doubt = await store.decisions.open(everyone, newDecision(tenant, { kind: 'in_doubt', expiresAt: noon + 8 }))
    const expected = [...all, doubt].sort((a, b) => deadlineOf(a) - deadlineOf(b) || (a.id < b.id ? -1 : 1))
    const met: Decision[] = []
    let after: { deadline: number; id: DecisionId } | null = null
    for (let more = true; more; ) {
      const page = await store.decisions.byDeadline(everyone, { organizations: [tenant.id], after, limit: 2 })
      met.push(...page.items)
      more = page.more
      const last = page.items.at(-1)
      after = last ? { deadline: deadlineOf(last), id: last.id } : null
    }
    expect(met).toEqual(expected)
    const of = async (query: object) => (await store.decisions.byDeadline(tenant.scope, { after: null, limit: 9, ...query })).items
    expect(await of({ kinds: ['in_doubt'] })).toEqual([doubt])
    expect(await of({ runs: [doubt.run] })).toEqual([doubt])
    expect(await of({ quotas: ['mfa.suspend_mfa_user'] })).toEqual([])
  })

  test('a list is filtered by state, kind, run and organization', async () => {
    const { store } = at()
    const tenant = newTenant()
    const approval = await store.decisions.open(everyone, newDecision(tenant))
    const doubt = await store.decisions.open(everyone, newDecision(tenant, { kind: 'in_doubt' }))
    const other = await store.decisions.open(everyone, newDecision(newTenant()))
    const over = approved(await store.decisions.open(everyone, newDecision(tenant)))
    await store.decisions.revise(everyone, over)
    const ids = async (query: object): Promise<string[]> =>
      (await store.decisions.list(tenant.scope, { after: null, limit: 9, ...query })).items.map(({ id }) => id).sort()
    expect(await ids({})).toEqual([approval.id, doubt.id, over.id].sort())
    expect(await ids({ states: ['open'] })).toEqual([approval.id, doubt.id].sort())
    expect(await ids({ states: ['approved', 'declined'] })).toEqual([over.id])
    expect(await ids({ kinds: ['in_doubt'] })).toEqual([doubt.id])
    expect(await ids({ runs: [approval.run, over.run] })).toEqual([approval.id, over.id].sort())
    expect(await ids({ organizations: [other.organization] })).toEqual([])
  })

  test('open decisions about a quota are listed and counted by skill', async () => {
    const { decisions } = at().store
    const tenant = newTenant()
    const quota = (of: Tenant, parts: Partial<Decision> = {}) => decisions.open(everyone, newDecision(of, { kind: 'quota', ...parts }))
    const skill = 'mfa.suspend_mfa_user'
    const [first, second] = [await quota(tenant), await quota(tenant, { askedAt: noon + 1 })]
    const actions = first.actions.map((action) => ({ ...action, skill: 'mfa.other' }))
    await quota(tenant, { actions })
    await quota(newTenant())
    await decisions.open(everyone, newDecision(tenant))
    expect(await decisions.waiting(everyone, tenant.id, skill)).toBe(2)
    expect((await decisions.list(tenant.scope, { quotas: [skill], after: null, limit: 9 })).items).toEqual([second, first])
    await decisions.revise(everyone, approved(first))
    expect(await decisions.waiting(everyone, tenant.id, skill)).toBe(1)
    expect((await decisions.list(tenant.scope, { quotas: [skill], states: ['open'], after: null, limit: 9 })).items).toEqual([second])
    expect((await decisions.list(tenant.scope, { quotas: [skill], after: null, limit: 9 })).items).toHaveLength(2)
  })

  test('an open decision whose run has ended is left', async () => {
    const { store } = at()
    const tenant = newTenant()
    const asked = async (run: RunId, parts: Partial<Decision> = {}) => store.decisions.open(everyone, newDecision(tenant, { run, ...parts }))
    const over = [(await ended(store, tenant)).claimed.run.id, (await ended(store, tenant, 'failed')).claimed.run.id]
    const left = await Promise.all(over.map((run) => asked(run)))
    await store.decisions.revise(everyone, approved(await asked(over[0] as RunId)))
    const { run } = await mustClaim(store, claimOf(await insertOne(store, newAlert(tenant)), await openSession(store)))
    await asked(run.id)
    await asked(asId<RunId>('nobody-r1'))
    const ids = (decisions: readonly Decision[]) => decisions.map(({ id }) => id).sort()
    expect(ids(await store.decisions.left(tenant.scope, 9))).toEqual(ids(left))
    expect(await store.decisions.left(tenant.scope, 1)).toHaveLength(1)
  })

  test('survives a restart', async () => {
    const decision = await at().store.decisions.open(everyone, newDecision(newTenant()))
    await at().reopen()
    expect(await at().store.decisions.get(everyone, decision.id)).toEqual(decision)
  })
}
