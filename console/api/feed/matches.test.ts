import { expect, test } from 'vitest'
import type { FeedChangeView } from '../../../runtime/api/index.ts'
import { concerns } from './matches.ts'

const changed = (object: FeedChangeView['object'], id: string | null): FeedChangeView => ({ object, id, change: 'changed' })

test.each([
  ['a list of alerts', changed('alert', 'ACME-EDR-1'), ['head', 'alerts', { status: 'open' }], undefined],
  ['the alert', changed('alert', 'ACME-EDR-1'), ['alert', 'acme-edr-1'], undefined],
  ['the alert, named by its UUID', changed('alert', 'ACME-EDR-1'), ['alert', '0197-x'], { alert_id: 'ACME-EDR-1' }],
  ['any case, if very many changed', changed('case', null), ['case', 'ACME-7'], undefined],
  ['the steps of the run', changed('run', 'u-r1'), ['steps', 'u-r1', 'running'], undefined],
  ['the graph of the run', changed('run', 'u-r1'), ['run graph', 'u-r1', 'running 0 0'], undefined],
  ['an open step of the run', changed('run', 'u-r1'), ['run step', 'known/user', 'u-r1', 'running 0 0'], undefined],
  ['the run that an undo takes back', changed('run', 'u-r1-u2'), ['run', 'u-r1'], undefined],
  ['an alert that a pause may hold', changed('pause', 'p'), ['alert', 'ACME-EDR-1'], undefined],
  ['the pauses that stand', changed('pause', 'p'), ['settings', '/platformapi/pauses?state=standing'], undefined],
  ['the deliveries of a webhook', changed('webhook', 'w'), ['settings', '/platformapi/webhooks/w/deliveries'], undefined],
  ['the fetches of alerts', changed('fetch', 'f'), ['settings', '/platformapi/fetches'], undefined],
  ['the policy of an organization', changed('policy', 'ACME'), ['settings', 'policy', 'ACME'], undefined],
  ['the first page', changed('decision', 'd'), ['home', 'numbers'], undefined],
  ['what the first run has', changed('case', 'ACME-1'), ['installation'], undefined],
] as const)('a change concerns %s', (_name, change, key, data) => {
  expect(concerns(change, key, data)).toBe(true)
})

test.each([
  ['another alert', changed('alert', 'ACME-EDR-1'), ['alert', 'ACME-EDR-2'], { alert_id: 'ACME-EDR-2' }],
  ['an undo of which only the undone run changed', changed('run', 'u-r1'), ['run', 'u-r1-u2'], undefined],
  ['a plan to undo, which must not change while somebody reads it', changed('run', 'u-r1'), ['run undo', 'u-r1'], undefined],
  ['a list of other objects', changed('alert', 'ACME-EDR-1'), ['decisions', 'open', 'any'], undefined],
  ['the keys, by their address', changed('webhook', 'w'), ['settings', '/platformapi/keys'], undefined],
  ['who is signed in', changed('key', 'k'), ['me'], { name: 'ada' }],
] as const)('a change does not concern %s', (_name, change, key, data) => {
  expect(concerns(change, key, data)).toBe(false)
})
