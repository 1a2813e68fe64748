import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashKey, newKeyValue } from '../../../runtime/api/index.ts'
import { systemIds } from '../../../runtime/config/index.ts'
import { asId, type Decision, type KeyId, mostMakers, type PrincipalId, type Run, systemScope, timeText } from '../../../runtime/domain/index.ts'
import { clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'
import { addTenants, openDecision, openWaitingRun } from '../../support/api/waiting-run.ts'

let api: ApiServer
let admin: ReturnType<typeof clientOf>
let run: Run

beforeAll(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  await addTenants(admin)
})
afterAll(() => api.close())
beforeEach(async () => {
  run = await openWaitingRun(api, admin)
})

const opened = (parts: Partial<Decision> = {}): Promise<string> => openDecision(api, run, parts)
const answer = (id: string, body: unknown, client = admin) => client('POST', `/platformapi/decisions/${id}`, body)

test('a decision shows what it is about, and its alert shows that the run waits', async () => {
  const id = await opened({ by: ['approver'], expiresAt: api.clock.now() + 60_000 })
  const shown = (await admin('GET', `/platformapi/decisions/${id}`)).body
  expect(shown).toEqual({
    id,
    kind: 'approval',
    state: 'open',
    title: 'Suspend ada?',
    organization_code: 'ACME',
    case_id: run.caseId,
    case_merged_into: null,
    alert_uuid: run.alert,
    run: run.id,
    playbook: 'look',
    playbook_digest: 'sha256:0',
    step: 'ask',
    actions: [
      {
        step: 'act',
        skill: 'mfa.suspend_mfa_user',
        about: null,
        connection: 'main',
        connection_id: 'c',
        connection_revision: 2,
        target: 'ada',
        input: { username: 'ada' },
      },
    ],
    by: ['approver'],
    approvers: 1,
    quota: null,
    may_answer: true,
    cannot_approve: null,
    verdicts: ['approve', 'decline'],
    answers: [],
    asked_at: api.clock.now(),
    expires_at: api.clock.now() + 60_000,
    closed_at: null,
  })
  expect((await admin('GET', `/platformapi/alerts/${run.alert}`)).body).toMatchObject({
    investigation_status: 10,
    runs: [{ state: 'waiting', wake_at: null }],
  })
})

test('a quota decision shows how many wait for the same quota, and the list can be filtered by quota', async () => {
  const skill = `mfa.${systemIds.uuid()}`
  const actions = [{ step: 'act', skill, connection: { id: 'c', revision: 2, instance: 'main' }, target: 'ada', input: {}, digest: 'd' }]
  const [first, second] = [await opened({ kind: 'quota', actions }), await opened({ kind: 'quota', actions })]
  await opened({ kind: 'quota' })
  const shown = (await admin('GET', `/platformapi/decisions/${first}`)).body
  expect(shown).toMatchObject({ kind: 'quota', quota: { skill, waiting: 2 }, verdicts: ['approve', 'decline'] })
  const listed = async (query: string): Promise<unknown> =>
    (await admin('GET', `/platformapi/decisions?${query}`)).body.items.map(({ id, quota }: Record<string, unknown>) => [id, quota])
  const two = [second, first].toSorted((a, b) => (a > b ? -1 : 1))
  expect(await listed(`quota=${skill}&state=open&kind=quota`)).toEqual(two.map((id) => [id, { skill, waiting: 2 }]))
  expect((await answer(first, { verdict: 'happened' })).body).toMatchObject({
    code: 'decision_verdict_invalid',
    detail: 'Invalid verdict for this decision. It takes approve, decline.',
  })
  expect((await answer(first, { verdict: 'approve' })).body).toMatchObject({ state: 'approved', quota: { skill, waiting: 1 } })
  expect(await listed(`quota=${skill}&state=open`)).toEqual([[second, { skill, waiting: 1 }]])
})

test('open decisions are listed by deadline, the most urgent first, page by page', async () => {
  const skill = `mfa.${systemIds.uuid()}`
  const actions = [{ step: 'act', skill, connection: { id: 'c', revision: 2, instance: 'main' }, target: 'ada', input: {}, digest: 'd' }]
  const due = (expiresAt: number | null) => opened({ kind: 'quota', actions, expiresAt })
  const now = api.clock.now()
  const [never, late, soon, gone] = [await due(null), await due(now + 9_000), await due(now + 5_000), await due(now + 1_000)]
  await answer(gone, { verdict: 'decline' })
  const page = async (query: string) => (await admin('GET', `/platformapi/decisions?sort=deadline&quota=${skill}&${query}`)).body
  const first = await page('limit=2')
  const rest = await page(`limit=2&cursor=${first.next_cursor}`)
  expect([...first.items, ...rest.items].map(({ id }: Record<string, unknown>) => id)).toEqual([soon, late, never])
  expect(rest.next_cursor).toBeNull()
  expect((await page('state=open')).items).toHaveLength(3)
  expect(await page('state=approved')).toMatchObject({ code: 'query_invalid', status: 400 })
  expect((await admin('GET', `/platformapi/decisions?quota=${skill}&cursor=${first.next_cursor}`)).body.code).toBe('cursor_invalid')
})

test('a decision says whether the key may answer it', async () => {
  const [open, theirs, twice] = [await opened(), await opened({ by: ['the duty manager'] }), await opened({ approvers: 2 })]
  await answer(twice, { verdict: 'approve' })
  const reader = clientOf(api.app, await api.addKey(['decisions:read']))
  const said = async (id: string, client = admin) => (await client('GET', `/platformapi/decisions/${id}`)).body.may_answer
  expect([await said(open), await said(theirs), await said(twice), await said(open, reader)]).toEqual([true, false, false, false])
})

test('an answer closes the decision, appears in the case, and hands the run to the queue', async () => {
  const id = await opened()
  const before = api.jobs.length
  const { status, body } = await answer(id, { verdict: 'approve', reason: 'She called' })
  expect([status, body]).toMatchObject([
    200,
    { state: 'approved', closed_at: api.clock.now(), answers: [{ by: 'test', verdict: 'approve', reason: 'She called', at: api.clock.now() }] },
  ])
  expect(api.jobs.slice(before)).toMatchObject([{ run: run.id }])
  expect(await api.store.runs.get(systemScope, run.id)).toMatchObject({ state: 'waiting', wakeAt: api.clock.now() })
  const { timeline } = (await admin('GET', `/platformapi/cases/${run.caseId}`)).body
  expect(timeline.at(-1)).toMatchObject({
    kind: 'decision',
    decision: id,
    state: 'approved',
    title: 'Suspend ada?',
    by: ['test'],
    text: 'She called',
  })
})

describe('an answer is refused', () => {
  test.each([
    [{ verdict: 'happened' }, 422, 'decision_verdict_invalid'],
    [{ verdict: 'aprove' }, 400, 'body_invalid'],
    [{}, 400, 'body_invalid'],
    [{ verdict: 'approve', reason: '' }, 400, 'body_invalid'],
    [{ verdict: 'approve', output: {} }, 400, 'body_invalid'],
    [{ verdict: 'approve', why: 'x' }, 400, 'field_unknown'],
  ])('%j: %d %s', async (body, status, code) => {
    const refused = await answer(await opened(), body)
    expect([refused.status, refused.body.code]).toEqual([status, code])
  })

  test('if the decision is unknown, already answered, closed, expired, or for other people', async () => {
    expect((await answer('nobody', { verdict: 'approve' })).body.code).toBe('decision_unknown')
    const id = await opened({ approvers: 2 })
    await answer(id, { verdict: 'approve' })
    expect((await answer(id, { verdict: 'approve' })).body.code).toBe('decision_answered')
    const other = clientOf(api.app, await api.addKey(['decisions:answer']))
    expect((await answer(id, { verdict: 'decline', reason: 'On holiday' }, other)).body).toMatchObject({ state: 'declined' })
    const at = timeText(api.clock.now())
    expect((await answer(id, { verdict: 'approve' }, clientOf(api.app, await api.addKey(['admin'])))).body).toMatchObject({
      code: 'decision_closed',
      detail: `The decision is declined: test answered approve at ${at}; test answered decline at ${at} (On holiday).`,
    })
    const blind = clientOf(api.app, await api.addKey(['decisions:answer']))
    expect((await answer(id, { verdict: 'approve' }, blind)).body).toMatchObject({ code: 'decision_closed', detail: 'The decision is closed.' })
    const late = await opened({ expiresAt: api.clock.now() })
    expect((await answer(late, { verdict: 'approve' })).body.code).toBe('decision_expired')
    const theirs = await opened({ by: ['somebody else'] })
    const refused = await answer(theirs, { verdict: 'approve' })
    expect([refused.status, refused.body.code]).toEqual([403, 'decision_not_yours'])
  })

  describe('if several people must approve', () => {
    /** Makes a key with another one, as a person does. Returns a client of it. */
    const make = async (name: string, by = admin, scopes: readonly string[] = ['admin']) =>
      clientOf(api.app, (await by('POST', '/platformapi/keys', { name, scopes })).body.key)
    const shown = async (id: string, client: typeof admin) => {
      const { may_answer, cannot_approve } = (await client('GET', `/platformapi/decisions/${id}`)).body
      return [may_answer, cannot_approve]
    }

    test('by a key and one that it made, directly or through others', async () => {
      const ada = await make('ada')
      const second = await make('second', await make('first', ada))
      const id = await opened({ approvers: 2 })
      expect([await shown(id, ada), await shown(id, second)]).toEqual([
        [true, null],
        [true, null],
      ])
      await answer(id, { verdict: 'approve' }, ada)
      expect(await shown(id, second)).toEqual([true, 'one_person'])
      expect(await answer(id, { verdict: 'approve' }, second)).toMatchObject({
        status: 409,
        body: {
          code: 'decision_one_person',
          detail: 'ada has approved this. One of your two keys made the other, so you count as one person.',
          remedy: expect.stringContaining('You can still decline.'),
        },
      })
      const [listed] = (await second('GET', `/platformapi/decisions?run=${run.id}`)).body.items
      expect(listed).toMatchObject({ id, state: 'open', may_answer: true, cannot_approve: 'one_person', answers: [{ by: 'ada' }] })
      // The other way round: the maker answers after the key that it made.
      const other = await opened({ approvers: 2 })
      await answer(other, { verdict: 'approve' }, second)
      expect((await answer(other, { verdict: 'approve' }, ada)).body.code).toBe('decision_one_person')
      // Stopping it needs one person only.
      expect((await answer(other, { verdict: 'decline' }, ada)).body.state).toBe('declined')
    })

    test('a key that may not read decisions is not told whose the other one is', async () => {
      const ada = await make('ada')
      const blind = await make('blind', ada, ['decisions:answer'])
      const id = await opened({ approvers: 2 })
      await answer(id, { verdict: 'approve' }, ada)
      const { detail } = (await answer(id, { verdict: 'approve' }, blind)).body
      expect(detail).toBe('One of two keys made the other: yours and that of an earlier approver.')
    })

    test('by a key that was made after the question; two that one administrator had made before count', async () => {
      const [ada, bob] = [await make('ada'), await make('bob')]
      const id = await opened({ approvers: 2 })
      api.clock.advance(1)
      const late = await make('late')
      expect(await shown(id, late)).toEqual([true, 'key_newer'])
      expect((await answer(id, { verdict: 'approve' }, late)).body.code).toBe('decision_key_newer')
      expect((await answer(id, { verdict: 'approve' }, ada)).body.state).toBe('open')
      expect((await answer(id, { verdict: 'approve' }, bob)).body.state).toBe('approved')
      expect((await answer(await opened(), { verdict: 'approve' }, late)).body.state).toBe('approved')
    })

    test('by a key that too many keys made, one after the other', async () => {
      let last: string | null = null
      for (let link = 0; link <= mostMakers; link++) {
        const id = asId<PrincipalId>(systemIds.uuid())
        const createdBy = last === null ? null : asId<PrincipalId>(last)
        await api.store.principals.create(systemScope, { id, name: 'x', permissions: ['admin'], organizations: 'all', createdAt: 0, createdBy })
        last = id
      }
      const value = newKeyValue(systemIds)
      const key = { id: asId<KeyId>(systemIds.uuid()), principal: asId<PrincipalId>(last ?? ''), name: 'x', hash: hashKey(value) }
      await api.store.principals.addKey(systemScope, { ...key, createdAt: 0, revokedAt: null, expiresAt: null, lastUsedAt: null })
      const allowed = clientOf(api.app, value)
      const beyond = await make('beyond', allowed)
      const id = await opened({ approvers: 2 })
      expect(await shown(id, beyond)).toEqual([true, 'key_chain'])
      expect((await answer(id, { verdict: 'approve' }, beyond)).body.code).toBe('decision_key_chain')
      expect((await answer(id, { verdict: 'approve' }, allowed)).body.state).toBe('open')
    })
  })

  test('without the permission, or outside the organizations of the key', async () => {
    const id = await opened()
    const reader = clientOf(api.app, await api.addKey(['decisions:read']))
    expect((await answer(id, { verdict: 'approve' }, reader)).body.code).toBe('permission_missing')
    const [stranger] = (await api.store.organizations.byCode(systemScope, ['OTHER'])).map((organization) => organization.id)
    const other = clientOf(api.app, await api.addKey(['decisions:read', 'decisions:answer'], [stranger!]))
    expect((await answer(id, { verdict: 'approve' }, other)).body.code).toBe('decision_unknown')
    expect((await other('GET', `/platformapi/decisions/${id}`)).body.code).toBe('decision_unknown')
    expect((await other('GET', '/platformapi/decisions')).body).toEqual({ items: [], next_cursor: null })
  })
})

test('the verdict "happened" on a write in doubt can include the answer of the system', async () => {
  const id = await opened({ kind: 'in_doubt', title: 'Did it happen?' })
  expect((await admin('GET', `/platformapi/decisions/${id}`)).body.verdicts).toEqual(['happened', 'repeat', 'give_up'])
  const { body } = await answer(id, { verdict: 'happened', output: { state: 'SUSPENDED' } })
  expect(body).toMatchObject({ state: 'settled', answers: [{ verdict: 'happened', output: { state: 'SUSPENDED' } }] })
})

test('the list can be filtered, and comes in pages, newest first', async () => {
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) {
    ids.push(await opened())
    api.clock.advance(1)
  }
  await answer(ids[1]!, { verdict: 'decline' })
  const list = async (query: string) => (await admin('GET', `/platformapi/decisions?run=${run.id}&${query}`)).body
  const idsOf = ({ items }: { readonly items: readonly { readonly id: string }[] }) => items.map(({ id }) => id)
  expect(idsOf(await list(''))).toEqual(ids.toReversed())
  expect(idsOf(await list('state=declined&state=approved'))).toEqual([ids[1]])
  expect(idsOf(await list('kind=in_doubt'))).toEqual([])
  expect(idsOf(await list('organization=OTHER'))).toEqual([])
  const first = await list('limit=2&state=open')
  expect(idsOf(first)).toEqual([ids[4], ids[3]])
  const second = await list(`limit=2&state=open&cursor=${first.next_cursor}`)
  expect(idsOf(second)).toEqual([ids[2], ids[0]])
  expect(second.next_cursor).toBeNull()
  expect((await list(`limit=2&cursor=${first.next_cursor}`)).code).toBe('cursor_invalid')
  expect((await list('state=opened')).code).toBe('query_invalid')
  expect((await list('organization=NOBODY')).code).toBe('organization_unknown')
})
