import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { alertText } from './alert.ts'
import { caseText } from './case.ts'
import { decisionText } from './decision.ts'
import { evidenceText } from './evidence.ts'
import { runText } from './run.ts'
import { stepText } from './step.ts'
import { stepsText } from './steps.ts'

/* No text from outside makes a line of its own: it would look like a line of ours. */

/** A user name that somebody may send in an alert. */
const nasty = 'eve\n  mfa.list_users on eve via mfa\n'
const shown = nasty.trim().replace('\n', ' ⏎ ')
const linesOf = (text: string): string[] => stripVTControlCharacters(text).split('\n')
const calls = { skill: 'mfa.suspend_user', target: nasty, connection: 'mfa' }

test('a decision shows its title, its target and what people said on one line each', () => {
  const lines = linesOf(
    decisionText({
      ...{ id: 'd', kind: 'approval', state: 'open', title: `Look up ${nasty}?`, case_id: 'ACME-1', playbook: 'p', step: 'ask', by: [] },
      ...{ approvers: 2, asked_at: 0, expires_at: null, quota: null, actions: [{ ...calls, input: { user: nasty } }] },
      answers: [{ at: 0, by: 'ada', verdict: 'approve', reason: nasty }],
    }),
  )
  expect(lines).toHaveLength(7)
  expect(lines[0]).toContain('Look up eve ⏎   mfa.list_users on eve via mfa ⏎ ?  open')
  expect(lines[4]).toContain(`mfa.suspend_user on ${shown}`)
})

test('a decision that the key may not approve says so while it is open', () => {
  const decision = { title: 'Suspend ada?', approvers: 2, asked_at: 0, cannot_approve: 'one_person', actions: [], answers: [] }
  const note = '  you can only decline: your key and that of an earlier approver count as one person, because one of them made the other'
  expect(linesOf(decisionText({ ...decision, state: 'open' }))).toContain(note)
  expect(linesOf(decisionText({ ...decision, state: 'approved' }))).not.toContain(note)
  expect(linesOf(decisionText({ ...decision, state: 'open', cannot_approve: null })).join('\n')).not.toContain('decline')
})

test('a case shows its title, its verdict, its writes and what happened on one line each', () => {
  const found = {
    ...{ case_id: 'ACME-1', title: nasty, severity: 'low', status: 'new', disposition: 'unknown', alerts: [], summary: nasty },
    ...{ attention: [], writes: [{ ...calls, state: 'stands', undo: null }] },
  }
  const timeline = [
    { at: 0, kind: 'action', ...calls, outcome: 'done' },
    { at: 0, kind: 'finding', risk: 'low', title: nasty },
  ]
  expect(linesOf(caseText({ ...found, timeline }))).toHaveLength(7)
})

test('an alert and its runs have no line that its source wrote, except its content', () => {
  const failure = { code: 'stopped', step: null, message: nasty, remedy: null }
  const run = { run_id: 'r', attempt: 1, state: 'failed', failure, playbook: 'p', started_at: 0, ended_at: 1, undone_by: [] }
  const alert = { alert_id: 'ACME-EDR-1', alert_name: nasty, status_name: 'Completed', alert_type: 't', created_at: 0, case: null, runs: [run] }
  expect(linesOf(alertText({ ...alert, alert_content: nasty }))).toHaveLength(6 + 2)
})

test('a run, its steps and its evidence show what an external system said on one line', () => {
  const error = { code: 'refused', step: 's', message: nasty, remedy: null }
  expect(linesOf(runText({ run_id: 'r', state: 'failed', error, ended_at: 1, started_at: 0 }))).toHaveLength(4)
  const step = { address: 's', kind: 'skill', ...calls, state: 'failed', why: [], decisions: [], error }
  expect(linesOf(stepText('r', step))).toHaveLength(2)
  expect(linesOf(stepsText({ items: [step], states: {}, total: 1 }, { run: 'r', details: true }))).toHaveLength(4)
  const document = { run: { run_id: 'r', state: 'failed', error, started_at: 0, ended_at: 1, requested: { by: 'ada', reason: nasty } } }
  expect(linesOf(evidenceText(document))).toHaveLength(10)
})

test('evidence says whose key made the key of an approver, unless it is too old to know', () => {
  const makers = ['a', 'b', 'c', 'd', 'e', 'f'].map((by) => ({ by, principal_uuid: 'u' }))
  const answers = [
    { by: 'ada', verdict: 'approve', reason: null, at: 0, made_by: [{ by: null, principal_uuid: 'u-1' }] },
    { by: 'eve', verdict: 'approve', reason: 'Seen', at: 0, made_by: makers },
    { by: 'old', verdict: 'approve', reason: null, at: 0 },
  ]
  const text = linesOf(evidenceText({ decisions: [{ step: 'ask', kind: 'approval', state: 'approved', asked_at: 0, answers }] })).at(-1)
  expect(text).toContain('approve by ada (key made by u-1) at ')
  expect(text).toContain('approve by eve (key made by a, by b, by c, by d, by e and 1 more) at ')
  expect(text).toContain('approve by old at ')
})
