import { expect, test } from 'vitest'
import type { Case, Decision, Run } from '../domain/index.ts'
import { bodyOf } from './message.ts'

const theCase = { uuid: 'c', caseId: 'ACME-7', title: 'MFA fatigue', severity: 'high', summary: 'secret summary' } as Partial<Case> as Case
const run = {
  id: '0197-r2',
  alert: '0197',
  attempt: 2,
  undo: null,
  pins: { playbook: { name: 'mfa-fatigue' }, connections: { idp: { instance: 'secret' } } },
  failure: { code: 'write_in_doubt', message: 'secret message', remedy: 'secret', step: 'suspend', vendor: { id: 'secret' } },
  retryAt: 9_000,
  caseId: 'ACME-7',
  startedAt: 1_000,
  endedAt: 2_000,
} as unknown as Run
const decision = {
  id: 'd',
  kind: 'in_doubt',
  state: 'settled',
  title: 'Did it happen?',
  step: 'suspend',
  by: ['ada'],
  approvers: 1,
  askedAt: 3_000,
  expiresAt: null,
  closedAt: 4_000,
  run: '0197-r2',
  alert: '0197',
  playbook: { name: 'mfa-fatigue' },
  caseId: 'ACME-7',
  actions: [{ input: 'secret', target: 'secret' }],
  answers: [{ by: 'secret', reason: 'secret' }],
} as unknown as Decision

test('for a failed run it says why and where, and whether another attempt follows', () => {
  expect(JSON.parse(bodyOf({ type: 'run.failed', run, case: theCase }, 'ACME'))).toEqual({
    type: 'run.failed',
    timestamp: '1970-01-01T00:00:02.000Z',
    data: {
      organization_code: 'ACME',
      run_id: '0197-r2',
      alert_uuid: '0197',
      attempt: 2,
      undoes: null,
      playbook: 'mfa-fatigue',
      failure: { code: 'write_in_doubt', step: 'suspend' },
      retry_at: 9_000,
      case_id: 'ACME-7',
      case_title: 'MFA fatigue',
      severity: 'high',
      path: '/platformapi/runs/0197-r2',
    },
  })
})

test('for an undo it names the undone run', () => {
  const undoing = { ...run, undo: { run: '0197-r1', number: 1, by: 'p', reason: null } } as unknown as Run
  expect(JSON.parse(bodyOf({ type: 'run.failed', run: undoing, case: theCase }, 'ACME')).data).toMatchObject({ undoes: '0197-r1' })
})

test('for a decision it says what is asked, who may answer, and where', () => {
  const closed = JSON.parse(bodyOf({ type: 'decision.closed', decision, case: theCase }, 'ACME'))
  expect(closed).toMatchObject({ type: 'decision.closed', timestamp: '1970-01-01T00:00:04.000Z' })
  expect(closed.data).toEqual({
    organization_code: 'ACME',
    decision_id: 'd',
    kind: 'in_doubt',
    state: 'settled',
    title: 'Did it happen?',
    by: ['ada'],
    approvers: 1,
    expires_at: null,
    closed_at: 4_000,
    run_id: '0197-r2',
    step: 'suspend',
    alert_uuid: '0197',
    playbook: 'mfa-fatigue',
    case_id: 'ACME-7',
    case_title: 'MFA fatigue',
    severity: 'high',
    path: '/platformapi/decisions/d',
  })
  expect(JSON.parse(bodyOf({ type: 'decision.opened', decision, case: theCase }, 'ACME')).timestamp).toBe('1970-01-01T00:00:03.000Z')
})

test('it has no other data of the fact', () => {
  for (const fact of [
    { type: 'case.opened', case: { ...theCase, alerts: [], createdAt: 1 } },
    { type: 'run.failed', run, case: theCase },
    { type: 'decision.opened', decision, case: null },
  ] as const)
    expect(bodyOf(fact, 'ACME')).not.toContain('secret')
})
