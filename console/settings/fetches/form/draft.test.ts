import { expect, test } from 'vitest'
import type { FetchAnswer } from '../../../../runtime/api/index.ts'
import { bodyOf, changeOf, draftOf, emptyDraft } from './draft.ts'

const standing = {
  id: 'f',
  organization_code: 'ACME',
  name: 'Detections',
  connection: 'c',
  skill: 'list',
  input: { after: '{{ since.seconds }}', max: 5 },
  items_at: '/list',
  alert_provider: 'EDR',
  alert_type: null,
  alert_type_at: '/kind',
  idempotency_key_at: '/id',
  created_at_source_at: null,
  every_seconds: 90,
  overlap_seconds: 0,
  enabled: true,
  since: 5,
  revision: 7,
} as unknown as FetchAnswer

test('an untouched form changes nothing, and a changed one sends what differs', () => {
  const draft = draftOf(standing)
  expect(changeOf(draft, standing)).toEqual({ revision: 7 })
  expect(changeOf({ ...draft, alert_type: ' odd ', alert_type_at: '', input: '{"after": 1}', since: 9 }, standing)).toEqual({
    revision: 7,
    alert_type: 'odd',
    alert_type_at: null,
    input: { after: 1 },
    since: 9,
  })
})

test('a new fetch gets the defaults, and begins now unless a time is given', () => {
  expect(bodyOf({ ...emptyDraft, name: ' A ', every_seconds: null })).toMatchObject({
    name: 'A',
    every_seconds: 60,
    overlap_seconds: 900,
    alert_type: null,
  })
  expect(bodyOf(emptyDraft)).not.toHaveProperty('since')
  expect(bodyOf({ ...emptyDraft, since: 0 })).toMatchObject({ since: 0 })
})

test('an input that is no object is sent as it is typed, so that it is refused and not replaced', () => {
  for (const input of ['{', '[]', '7', 'null', '']) expect(bodyOf({ ...emptyDraft, input })).toMatchObject({ input })
  expect(bodyOf({ ...emptyDraft, input: '{"id": 12345678901234567890}' })).toMatchObject({ input: { id: '12345678901234567890' } })
})
