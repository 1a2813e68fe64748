import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { runText } from './run.ts'

const run = {
  run_id: 'u-r1',
  alert_uuid: 'u',
  state: 'failed',
  playbook: 'look',
  case_id: 'ACME-3',
  organization_code: 'ACME',
  attempt: 1,
  policy_revision: 0,
  started_at: 0,
  ended_at: 60_000,
  error: { code: 'network', message: 'No route.', remedy: 'Look at the firewall.', step: 'ask' },
  writes: [{ step: 'suspend' }],
  undoes: null,
  undone_by: [],
}
/** Returns the lines below the first one, without the playbook and the start time. */
const below = (parts: object): string[] =>
  stripVTControlCharacters(runText({ ...run, ...parts }))
    .trimEnd()
    .split('\n')
    .slice(1)
    .filter((line) => !/^ {2}(playbook|began) /.test(line))

test('a failed run shows the remedy, and how to undo and to retry', () => {
  expect(below({})).toEqual(['  Look at the firewall.', '  to undo its write: tocsin run undo u-r1', '  to retry: tocsin alert retry u'])
  expect(below({ error: null, state: 'completed', writes: [] })).toEqual([])
  expect(below({ error: null, writes: [], retry_at: 90_000 })).toEqual([
    '  automatic retry at 1970-01-01 00:01:30',
    '  to retry now: tocsin alert retry u',
  ])
})

test('a run in which processes died shows how often', () => {
  const going = { state: 'running', error: null, ended_at: null, writes: [] }
  expect(below({ ...going, deaths: { in_a_row: 0, total: 0 } })).toEqual([])
  expect(below({ ...going, deaths: { in_a_row: 2, total: 3 } })).toEqual(['  3 processes died while they worked on the run, 2 in a row'])
  expect(below({ ...going, deaths: { in_a_row: 0, total: 1 } })).toEqual(['  1 process died while it worked on the run'])
})

test('an undone run shows its undo and offers no other; an undo offers no retry', () => {
  const undo = { run_id: 'u-r1-u1', state: 'completed', by: 'ada', reason: 'Wrong user', started_at: 60_000 }
  expect(below({ undone_by: [undo], error: null, state: 'completed' })).toEqual([
    '  undone by ada, requested 1970-01-01 00:01:00: Wrong user · tocsin run show u-r1-u1',
    '    result for each write: tocsin run undo u-r1 --plan',
  ])
  expect(below({ undoes: 'u-r1', error: null, requested_by: { by: 'ada', reason: 'Wrong user' } })).toEqual(['  requested by ada: Wrong user'])
})

test('a held run shows the pause and the command that ends it, and no wake time', () => {
  const pauses = [{ id: 'p', what: 'everything', paused_at: 0, paused_by: 'ada', reason: null }]
  const held = { state: 'waiting', error: null, ended_at: null, waiting: { until: 60_000, decisions: [] }, pauses }
  expect(stripVTControlCharacters(runText({ ...run, ...held }))).toMatch(/^u-r1 {2}waiting\n/)
  expect(below(held)).toEqual(['  held everything, paused since 1970-01-01 00:00:00 by ada · tocsin resume p'])
})
