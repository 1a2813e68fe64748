import { expect, test } from 'vitest'
import { itemResults } from './items.ts'

const ids = ['a', 'b', 'c']
/** `a:done b:failed(no) c:unknown` */
const told = (answer: unknown): string | null =>
  itemResults(ids, answer)
    ?.map(({ id, status, error }) => `${id}:${status}${status === 'failed' ? `(${error?.message})` : ''}`)
    .join(' ') ?? null

test.each<[string, unknown, string | null]>([
  ['nothing', '', null],
  ['null', null, null],
  ['an object without a list', { status: 'accepted', jobId: 'j' }, null],
  ['a list of another kind', { status: 'accepted', tags: ['x'] }, null],
  ['the ids that were taken', { messageIds: ['a', 'b', 'c'] }, 'a:done b:done c:done'],
  ['some of them', { messageIds: ['c'] }, 'a:unknown b:unknown c:done'],
  ['none of them', { messageIds: [] }, 'a:unknown b:unknown c:unknown'],
  ['lists of both', { accepted: ['a', 'c'], rejected: [{ id: 'b', reason: 'no' }] }, 'a:done b:failed(no) c:done'],
  [
    'other names of both',
    { succeeded: ['a'], failed: [{ messageId: 'b', error: { message: 'no' } }, 'c'] },
    'a:done b:failed(no) c:failed(The platform gave no reason.)',
  ],
  ['only what failed', { failed: [{ id: 'b', message: 'no' }] }, 'a:done b:failed(no) c:done'],
  ['that nothing failed', { failed: [] }, 'a:done b:done c:done'],
  ['how many failed, and not which', { accepted: 2, failed: 1 }, 'a:unknown b:unknown c:unknown'],
  ['that a part was done', { status: 'partially_accepted' }, 'a:unknown b:unknown c:unknown'],
  [
    'entries by id',
    {
      results: [
        { id: 'b', status: 'failed', error: 'no' },
        { id: 'a', status: 'ok' },
        { id: 'c', success: true },
      ],
    },
    'a:done b:failed(no) c:done',
  ],
  ['fewer entries', { results: [{ id: 'a', status: 'ok' }] }, 'a:done b:unknown c:unknown'],
  ['entries by place', [{ status: 'ok' }, { status: 'error', message: 'no' }, { status: 'ok' }], 'a:done b:failed(no) c:done'],
  ['another number of entries without ids', [{ status: 'ok' }], null],
  ['of which one failed', [{ status: 'ok' }, { status: 'failed' }], 'a:unknown b:unknown c:unknown'],
  ['that something else failed', { results: [{ id: 'z', status: 'failed' }] }, 'a:unknown b:unknown c:unknown'],
  ['ids that are numbers', { results: [{ id: 7, status: 'ok' }] }, null],
  ['bare ids', ['a', 'b'], 'a:done b:done c:unknown'],
  ['a map of words', { results: { a: 'ok', b: 'failed' } }, 'a:done b:failed(The platform gave no reason.) c:unknown'],
  ['a map of entries', { messages: { a: { success: true }, b: { error: 'no' }, c: { status: 202 } } }, 'a:done b:failed(no) c:done'],
  ['entries that contradict a list', { messageIds: ['a', 'b', 'c'], results: [{ id: 'b', status: 'failed' }] }, 'a:done b:unknown c:done'],
  ['errors beside', { messageIds: ['a', 'c'], errors: [{ id: 'b', message: 'no' }] }, 'a:done b:failed(no) c:done'],
  ['no errors', { status: 'accepted', errors: [] }, 'a:done b:done c:done'],
  ['entries of something else', { results: [{ id: 'z', status: 'ok' }] }, null],
  ['ids of something else', { messageIds: ['x', 'y'] }, null],
  ['an error of nobody knows what', { messageIds: ['a'], errors: [{ message: 'no' }] }, 'a:done b:unknown c:unknown'],
  ['an error in words', { status: 'accepted', errors: ['It broke.'] }, 'a:unknown b:unknown c:unknown'],
  [
    'results in a wrapper',
    {
      data: {
        results: [
          { id: 'a', status: 'ok' },
          { id: 'b', status: 'failed' },
        ],
      },
    },
    'a:done b:failed(The platform gave no reason.) c:unknown',
  ],
  ['results in two wrappers', { response: { data: { failed: ['b'] } } }, 'a:done b:failed(The platform gave no reason.) c:done'],
  ['a map in a wrapper', { data: { a: 'ok', b: 'failed', c: 'ok' } }, 'a:done b:failed(The platform gave no reason.) c:done'],
  ['a count in a wrapper', { status: 'ok', data: { failedCount: 1 } }, 'a:unknown b:unknown c:unknown'],
  ['an empty list of records', { items: [] }, 'a:unknown b:unknown c:unknown'],
])('%s', (_, answer, expected) => {
  expect(told(answer)).toBe(expected)
})
