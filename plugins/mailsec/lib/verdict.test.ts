import { expect, test } from 'vitest'
import { reasonOf, type Verdict, verdictOf } from './verdict.ts'

test.each<[object, Verdict]>([
  [{ status: 'succeeded' }, 'done'],
  [{ status: 'OK' }, 'done'],
  [{ status: 'accepted' }, 'done'],
  [{ state: 'Queued' }, 'done'],
  [{ result: 'marked' }, 'done'],
  [{ status: 201 }, 'done'],
  [{ status: '204' }, 'done'],
  [{ success: true }, 'done'],
  [{ ok: true, error: null, errors: [] }, 'done'],
  [{ status: 'failed' }, 'failed'],
  [{ status: 'FAILURE' }, 'failed'],
  [{ status: 'error' }, 'failed'],
  [{ status: 'rejected' }, 'failed'],
  [{ status: 'not_found' }, 'failed'],
  [{ status: 'not_marked' }, 'failed'],
  [{ status: 'unsuccessful' }, 'failed'],
  [{ status: 'incomplete' }, 'failed'],
  [{ status: 'skipped' }, 'failed'],
  [{ status: 404 }, 'failed'],
  [{ status: '409' }, 'failed'],
  [{ success: false }, 'failed'],
  [{ error: { code: 'x' } }, 'failed'],
  [{ errors: ['no'] }, 'failed'],
  [{ id: 'a', error: 'no' }, 'failed'],
  [{}, 'unknown'],
  [{ status: null }, 'unknown'],
  [{ status: 'maybe' }, 'unknown'],
  [{ status: 'ok', success: false }, 'unknown'],
  [{ status: 200, error: { message: 'no' } }, 'unknown'],
  [{ status: 'failed', success: true }, 'unknown'],
])('%j: %s', (entry, verdict) => {
  expect(verdictOf(entry as Readonly<Record<string, unknown>>)).toBe(verdict)
})

test.each<[object, object]>([
  [{ error: { code: 'a', message: 'b' } }, { code: 'a', message: 'b' }],
  [{ error: 'b' }, { code: 'failed', message: 'b' }],
  [{ errors: [{ code: 'a', message: 'b' }] }, { code: 'a', message: 'b' }],
  [
    { code: 'a', message: 'b' },
    { code: 'a', message: 'b' },
  ],
  [{ reason: 'b' }, { code: 'failed', message: 'b' }],
  [
    { error: true, message: 'b' },
    { code: 'failed', message: 'b' },
  ],
  [{}, { code: 'failed', message: 'The platform gave no reason.' }],
])('why, of %j', (entry, reason) => {
  expect(reasonOf(entry as Readonly<Record<string, unknown>>)).toEqual(reason)
})
