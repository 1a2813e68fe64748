import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { attentionWords } from '../commands/case/index.ts'
import { caseText } from './case.ts'

const found = {
  case_id: 'ACME-3',
  title: 'MFA fatigue',
  severity: 'high',
  status: 'contained',
  disposition: 'malicious',
  assignee: null,
  alerts: [{ alert_id: 'ACME-EDR-7' }],
  summary: 'The user was suspended.',
  attention: [] as object[],
  superseded: null as object | null,
  writes: [{ skill: 'mfa.suspend', target: 'ada', connection: 'mfa', state: 'stands', undo: null }] as object[],
  more_writes: 0,
  timeline: [] as object[],
}
const undo = {
  undo_run_id: 'u-r1-u1',
  by: 'Ada',
  reason: 'Wrong user',
  state: 'undone',
  at: 0,
  text: 'Ada undid attempt 1: 1 write was undone, and none of its writes is still in effect.',
}
const shown = (parts: object): string[] =>
  stripVTControlCharacters(caseText({ ...found, ...parts }))
    .split('\n')
    .slice(2)

test('a contained case shows which writes are in effect', () => {
  expect(shown({})).toEqual(['  verdict: The user was suspended.', '  wrote mfa.suspend on ada via mfa: in effect'])
})

test('after an undo, the case shows who did it, when and why, and that the verdict is superseded', () => {
  const writes = [{ ...found.writes[0], state: 'undone', undo: { run_id: 'u-r1-u1', by: 'Ada', at: 60_000 } }]
  expect(shown({ attention: [{ kind: 'undo', at: 60_000, text: undo.text, run_id: 'u-r1', undo }], superseded: undo, writes })).toEqual([
    '  ! Ada undid attempt 1: 1 write was undone, and none of its writes is still in effect. 1970-01-01 00:01:00',
    '      reason: Wrong user',
    '      tocsin run show u-r1-u1',
    '  verdict, SUPERSEDED by Ada at 1970-01-01 00:00:00: Ada undid attempt 1: 1 write was undone, and none of its writes is still in effect.',
    '      earlier verdict: The user was suspended.',
    '  wrote mfa.suspend on ada via mfa: UNDONE by Ada at 1970-01-01 00:01:00',
  ])
})

test('a failed run shows the reason, the remedy and the next command', () => {
  const failed = {
    kind: 'run_failed',
    at: 0,
    text: 'Attempt 1 for alert ACME-EDR-7 failed at ask: network: No route.',
    run_id: 'u-r1',
    alert_id: 'ACME-EDR-7',
  }
  const attention = [{ ...failed, code: 'network', step: 'ask', remedy: 'Look at the firewall.', retry_at: 60_000 }]
  expect(shown({ attention, summary: null, writes: [] })).toEqual([
    '  ! Attempt 1 for alert ACME-EDR-7 failed at ask: network: No route. 1970-01-01 00:00:00',
    '      Look at the firewall.',
    '      automatic retry at 1970-01-01 00:01:00; to retry now: tocsin alert retry ACME-EDR-7',
    '      tocsin run show u-r1',
  ])
})

test('each line by a person names the person; if the case has several runs, each line names its run', () => {
  const person = { principal_uuid: 'p', name: 'Ada' }
  const run = (id: string) => ({ run: id, step: 'a' })
  const day = 24 * 60 * 60 * 1_000
  const timeline = [
    { at: 0, kind: 'note', text: 'Looked', actor: run('u-r1') },
    { at: 1_000, kind: 'change', change: { status: 'closed' }, actor: person },
    { at: 2_000, kind: 'comment', text: 'Done', actor: { principal_uuid: 'q' } },
    {
      at: day,
      kind: 'undo',
      undoes: 'u-r1',
      text: 'Wrong user\nThe only write of the run is to be undone.',
      reason: 'Wrong user',
      actor: person,
      status: 'analyst_pending',
    },
    {
      at: day,
      kind: 'action',
      skill: 'mfa.activate',
      target: 'ada',
      connection: 'mfa',
      outcome: 'done',
      undoes_step: 'suspend',
      actor: run('u-r1-u1'),
    },
  ]
  expect(shown({ timeline, summary: null, writes: [] })).toEqual([
    '  1970-01-01',
    '  00:00:00  note      Looked · attempt 1',
    '  00:00:01  change    status = closed by Ada',
    '  00:00:02  comment   q: Done',
    '  1970-01-02',
    '  00:00:00  undo      Ada requested to undo u-r1: Wrong user',
    '                      The only write of the run is to be undone.',
    '                      the case is now analyst_pending',
    '  00:00:00  action    mfa.activate on ada via mfa: done (undoes suspend) · undo 1 of attempt 1',
  ])
})

test('a list says in a few words why a person must look at a case', () => {
  const attention = [
    { kind: 'run_failed', code: 'network' },
    { kind: 'run_failed', code: 'network' },
    { kind: 'undo', undo: { state: 'partly' } },
    { kind: 'in_doubt' },
  ]
  expect(attentionWords({ attention })).toBe('failed: network, partly undone, write in doubt')
  expect(attentionWords({ attention: [] })).toBe('')
})

test('a change lists only what it changed', () => {
  const change = { disposition: 'pending', status: 'analyst_pending' }
  const before = { disposition: 'pending', status: 'new' }
  const timeline = [{ at: 1_000, kind: 'change', change, before, actor: { run: 'u-r1' } }]
  expect(shown({ timeline }).join('\n')).toContain('change    status = analyst_pending (was new)')
})
