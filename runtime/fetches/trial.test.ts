import { expect, test } from 'vitest'
import type { ReadCall } from '../connection/index.ts'
import { asId, type Clock, type ConnectionId, type Json, type OrganizationId } from '../domain/index.ts'
import type { CallResult } from '../plugin/index.ts'
import { trialOf } from './trial.ts'

const clock = { now: () => 1_000_000 } as Clock
const tried = {
  organization: asId<OrganizationId>('o'),
  connection: asId<ConnectionId>('c'),
  skill: 'list',
  input: { after: '{{ since.seconds }}' },
  reading: { items: '', provider: 'EDR', type: 'edr', typeAt: null, idAt: '/source', createdAt: null },
  overlap: 0,
  since: 0,
}

/** Tries a fetch whose skill returns these items. */
function trialWith(items: readonly Json[]) {
  const call = async (_: ReadCall): Promise<CallResult> => ({ ok: true, output: items }) as unknown as CallResult
  return trialOf({ calls: { call }, clock }, tried, new AbortController().signal)
}

test('items that have the same id are told, because only one of them becomes an alert', async () => {
  const { warnings, found } = await trialWith([{ source: 'edr', n: 1 }, { source: 'edr', n: 2 }, { source: 'siem' }, { n: 4 }])
  expect(found).toBe(4)
  expect(warnings).toEqual([
    expect.stringContaining('1 of 4 items have no id at /source'),
    '1 of 4 items have the same id at /source as another one. Only one of them becomes an alert.',
  ])
})

test('items with different ids are as they should be', async () => {
  expect((await trialWith([{ source: 'a' }, { source: 'b' }])).warnings).toEqual([])
})
