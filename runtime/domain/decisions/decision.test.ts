import { describe, expect, it, test } from 'vitest'
import { type Makers, mostMakers } from '../access/makers.ts'
import type { Permission, Principal } from '../access/principal.ts'
import { asId } from '../ids.ts'
import { answerableBy, type Decision, type DecisionAnswer, mayAnswer, type Verdict, withAnswer } from './decision.ts'

function principal(name: string, permissions: readonly Permission[] = ['decisions:answer']): Principal {
  return { id: asId(name), name, permissions, organizations: 'all', createdAt: 0, createdBy: null }
}

function decision(parts: Partial<Decision> = {}): Decision {
  return {
    id: asId('d'),
    kind: 'approval',
    organization: asId('o'),
    run: asId('r'),
    alert: asId('a'),
    case: asId('c'),
    caseId: 'ACME-1',
    playbook: { name: 'p', digest: asId('sha256:0') },
    step: 'ask',
    title: 'May it?',
    actions: [],
    by: [],
    approvers: 1,
    askedAt: 100,
    expiresAt: null,
    state: 'open',
    answers: [],
    closedAt: null,
    revision: 1,
    ...parts,
  }
}

/** @param chains the makers of principals, by name */
function answer(decided: Decision, name: string, verdict: Verdict, at = 150, chains: Readonly<Record<string, readonly string[]>> = {}) {
  const given: DecisionAnswer = { principal: asId(name), by: name, verdict, reason: null, output: null, at }
  const makers: Makers = new Map(Object.entries(chains).map(([id, chain]) => [asId(id), chain.map((maker) => asId(maker))]))
  return withAnswer(decided, principal(name), given, makers)
}

describe('who may answer', () => {
  it.each<[readonly string[], readonly Permission[], boolean]>([
    [[], ['decisions:answer'], true],
    [[], ['decisions:read', 'cases:write'], false],
    [['approver'], ['decisions:answer'], true],
    [['ada'], ['decisions:answer'], true],
    [['eve'], ['decisions:answer'], false],
    [['eve', 'ada'], ['decisions:answer'], true],
    [['ada'], ['cases:write'], false],
    [['cases:write'], ['decisions:answer', 'cases:write'], true],
    [['cases:write'], ['decisions:answer'], false],
    [['admin'], ['admin'], true],
    [['eve'], ['admin'], false],
  ])('by %j: ada with %j: %s', (by, permissions, expected) => {
    expect(mayAnswer({ by }, principal('ada', permissions))).toBe(expected)
  })

  it('a key that has the name of a permission does not have the permission', () => {
    expect(mayAnswer({ by: ['admin'] }, principal('admin'))).toBe(false)
    expect(mayAnswer({ by: ['cases:write'] }, principal('cases:write'))).toBe(false)
  })
})

test('one approval closes it if one is enough', () => {
  expect(answer(decision(), 'ada', 'approve')).toMatchObject({ state: 'approved', closedAt: 150, revision: 2, answers: [{ by: 'ada' }] })
})

test('several approvals must come from different principals', () => {
  const first = answer(decision({ approvers: 2 }), 'ada', 'approve') as Decision
  expect(first).toMatchObject({ state: 'open', closedAt: null, revision: 2 })
  expect(answer(first, 'ada', 'approve')).toBe('twice')
  expect(answer(first, 'bob', 'approve')).toMatchObject({ state: 'approved', revision: 3, answers: [{ by: 'ada' }, { by: 'bob' }] })
})

describe('several approvals must come from several people', () => {
  const asked = decision({ approvers: 2 })
  const first = answer(asked, 'ada', 'approve') as Decision

  it.each([
    ['ada made bob', { bob: ['ada'] }],
    ['bob made ada', { ada: ['bob'] }],
    ['ada made a key that made bob', { bob: ['other', 'ada', 'root'] }],
    ['bob made a key that made ada', { ada: ['other', 'bob'] }],
  ])('%s: they count as one', (_what, chains) => {
    expect(answer(first, 'bob', 'approve', 150, chains)).toBe('one_person')
  })

  it('two keys that a third one made count as two people', () => {
    const chains = { ada: ['root'], bob: ['root'] }
    expect(answer(first, 'bob', 'approve', 150, chains)).toMatchObject({ state: 'approved', answers: [{ by: 'ada' }, { by: 'bob' }] })
  })

  it('whoever counts as an earlier approver may still decline', () => {
    expect(answer(first, 'bob', 'decline', 150, { bob: ['ada'] })).toMatchObject({ state: 'declined' })
  })

  it('a third answer is compared with each earlier one', () => {
    const second = answer({ ...first, approvers: 3 }, 'bob', 'approve') as Decision
    expect(answer(second, 'eve', 'approve', 150, { eve: ['ada'] })).toBe('one_person')
    expect(answer(second, 'eve', 'approve', 150, { bob: ['eve'] })).toBe('one_person')
    expect(answer(second, 'eve', 'approve')).toMatchObject({ state: 'approved' })
  })

  it('a key that was made after the question does not count, and may decline', () => {
    const approval = { principal: asId<never>('ada'), by: 'ada', reason: null, output: null, at: 150 }
    const from = (createdAt: number, parts: Partial<Decision>, verdict: Verdict = 'approve') =>
      withAnswer(decision(parts), { ...principal('ada'), createdAt }, { ...approval, verdict }, new Map())
    expect(from(101, { approvers: 2 })).toBe('key_newer')
    expect(from(100, { approvers: 2 })).toMatchObject({ answers: [{ by: 'ada' }] })
    expect(from(101, { approvers: 2 }, 'decline')).toMatchObject({ state: 'declined' })
    expect(from(101, { approvers: 1 })).toMatchObject({ state: 'approved' })
  })

  it('a key with too many makers does not count, not even first', () => {
    const chain = Array.from({ length: mostMakers + 1 }, (_, link) => `key ${link}`)
    expect(answer(asked, 'ada', 'approve', 150, { ada: chain })).toBe('key_chain')
    expect(answer(asked, 'ada', 'approve', 150, { ada: chain.slice(1) })).toMatchObject({ answers: [{ by: 'ada' }] })
    expect(answer(decision(), 'ada', 'approve', 150, { ada: chain })).toMatchObject({ state: 'approved' })
  })

  it('if one approval is enough, the makers do not matter', () => {
    expect(answer(decision(), 'bob', 'approve', 150, { bob: ['ada'] })).toMatchObject({ state: 'approved' })
  })
})

test('one decline closes it, whoever approved before', () => {
  const first = answer(decision({ approvers: 2 }), 'ada', 'approve') as Decision
  expect(answer(first, 'bob', 'decline')).toMatchObject({ state: 'declined', closedAt: 150 })
})

test('a closed or expired decision takes no answer', () => {
  const closed = answer(decision(), 'ada', 'approve') as Decision
  expect(answer(closed, 'bob', 'approve')).toBe('closed')
  expect(answer(decision({ state: 'withdrawn' }), 'bob', 'approve')).toBe('closed')
  expect(answer(decision({ state: 'expired' }), 'bob', 'approve')).toBe('expired')
  expect(answer(decision({ expiresAt: 150 }), 'bob', 'approve', 150)).toBe('expired')
  expect(answer(decision({ expiresAt: 150 }), 'bob', 'approve', 149)).toMatchObject({ state: 'approved' })
})

test('each kind has its own verdicts', () => {
  for (const verdict of ['happened', 'repeat', 'give_up'] as const) {
    expect(answer(decision(), 'ada', verdict)).toBe('wrong_verdict')
    expect(answer(decision({ kind: 'in_doubt' }), 'ada', verdict)).toMatchObject({ state: 'settled', answers: [{ verdict }] })
  }
  expect(answer(decision({ kind: 'in_doubt' }), 'ada', 'approve')).toBe('wrong_verdict')
})

test('a principal that is not named cannot answer', () => {
  expect(answer(decision({ by: ['eve'] }), 'ada', 'approve')).toBe('not_yours')
})

test('a decision can be answered while it is open, by people it is for, once each', () => {
  const ada = principal('ada')
  expect(answerableBy(decision({ expiresAt: 150 }), ada, 149)).toBe(true)
  expect(answerableBy(decision({ expiresAt: 150 }), ada, 150)).toBe(false)
  expect(answerableBy(decision({ state: 'withdrawn' }), ada, 149)).toBe(false)
  expect(answerableBy(decision({ by: ['eve'] }), ada, 149)).toBe(false)
  const first = answer(decision({ approvers: 2 }), 'ada', 'approve') as Decision
  expect([answerableBy(first, ada, 160), answerableBy(first, principal('bob'), 160)]).toEqual([false, true])
})
