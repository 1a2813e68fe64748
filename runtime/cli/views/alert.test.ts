import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { alertText } from './alert.ts'

const alert = {
  alert_id: 'ACME-EDR-7',
  alert_uuid: 'u',
  alert_name: 'Odd sign-in',
  alert_type: 'odd_sign_in',
  alert_provider: 'EDR',
  organization_code: 'ACME',
  alert_content: '{"user":"ada"}',
  status_name: 'Failed',
  created_at: 0,
  completed_at: 60_000,
  duplicate_of: null,
  duplicates: 2,
  pauses: [],
  case: { case_id: 'ACME-3', title: 'Odd', severity: 'high', status: 'new', disposition: 'pending' },
}
const run = { run_id: 'u-r1', attempt: 1, state: 'failed', playbook: 'look', started_at: 0, ended_at: 60_000, wake_at: null, reason: null }
const failure = { code: 'network', message: 'No route.', remedy: 'Look at the firewall.', step: 'ask' }
const shown = (parts: object): string[] => stripVTControlCharacters(alertText({ ...alert, ...parts })).split('\n')

test('shows the result of each attempt, its reason, the remedy, and the command that shows more', () => {
  const second = { ...run, run_id: 'u-r2', attempt: 2, state: 'waiting', ended_at: null, wake_at: 120_000 }
  expect(
    shown({
      runs: [
        { ...run, failure, retry_at: 90_000 },
        { ...second, failure: null },
      ],
    }),
  ).toEqual([
    'ACME-EDR-7  Odd sign-in  Failed',
    '  type odd_sign_in · provider EDR · organization ACME',
    '  created 1970-01-01 00:00:00 · completed 1970-01-01 00:01:00 · u',
    '  2 duplicates · tocsin alert list --duplicate-of ACME-EDR-7',
    '  case ACME-3 Odd · severity high · status new · disposition pending · tocsin case show ACME-3',
    '  attempt 1  failed network at ask: No route.',
    '    Look at the firewall.',
    '    automatic retry at 1970-01-01 00:01:30',
    '    look, 1970-01-01 00:00:00 to 1970-01-01 00:01:00 · tocsin run show u-r1',
    '  attempt 2  waiting until 1970-01-01 00:02:00 at most',
    '    look, 1970-01-01 00:00:00 · tocsin run show u-r2',
    '  to retry: tocsin alert retry ACME-EDR-7',
    '',
    '{"user":"ada"}',
  ])
})

test('long content is cut, and cannot control the terminal', () => {
  const lines = shown({ runs: [], case: null, duplicates: 0, status_name: 'Created', alert_content: `\u001b[2J${'x'.repeat(2_500)}` })
  expect(lines.at(-1)).toBe('… 500 more characters: tocsin alert show ACME-EDR-7 --json')
  expect(lines.at(-2)).toBe('x'.repeat(2_000))
})
