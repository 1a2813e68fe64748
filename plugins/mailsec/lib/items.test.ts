import { expect, test } from 'vitest'
import { itemResults } from './items.ts'

const ids = ['a', 'b', 'c']
/** Returns the results as text: `a:done b:failed(no) c:unknown`. */
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
  ['reasons by id', { errors: { b: 'no' } }, 'a:done b:failed(no) c:done'],
  ['lists under results', { results: { succeeded: ['a', 'c'], failed: [{ id: 'b', reason: 'no' }] } }, 'a:done b:failed(no) c:done'],
  ['a map of words at the top', { a: 'ok', b: 'failed', c: 'ok' }, 'a:done b:failed(The platform gave no reason.) c:done'],
  ['ids under another name of failures', { failed_message_ids: ['b'] }, 'a:done b:failed(The platform gave no reason.) c:done'],
  ['things that were not successful', { unsuccessful: [{ messageId: 'b' }] }, 'a:done b:failed(The platform gave no reason.) c:done'],
  ['truths by place', { results: [true, false, true] }, 'a:done b:failed(The platform gave no reason.) c:done'],
  ['words by place', { results: ['ok', 'error', 'ok'] }, 'a:done b:failed(The platform gave no reason.) c:done'],
  ['statuses by place', { results: [200, 404, 200] }, 'a:done b:failed(The platform gave no reason.) c:done'],
  [
    'flags in words',
    [
      { id: 'a', success: 'true' },
      { id: 'b', success: 'false' },
      { id: 'c', success: 1 },
    ],
    'a:done b:failed(The platform gave no reason.) c:done',
  ],
  [
    'codes',
    [
      { id: 'a', code: 'ok' },
      { id: 'b', code: 'not_found', message: 'no' },
      { id: 'c', statusCode: 200 },
    ],
    'a:done b:failed(no) c:done',
  ],
  ['an error in two members', [{ id: 'b', errorCode: 'E7', errorMessage: 'no' }], 'a:unknown b:failed(no) c:unknown'],
  [
    'things in the entries',
    [
      { message: { id: 'b' }, status: 'failed' },
      { message: { id: 'a' }, status: 'ok' },
    ],
    'a:done b:failed(The platform gave no reason.) c:unknown',
  ],
  ['a count in a summary', { summary: { total: 3, failed: 1 } }, 'a:unknown b:unknown c:unknown'],
  ['a count of what was done', { successCount: 2 }, 'a:unknown b:unknown c:unknown'],
  ['a count that may be a flag', { success: 2 }, 'a:unknown b:unknown c:unknown'],
  ['a whole count', { successCount: 3, failureCount: 0, errors: [] }, 'a:done b:done c:done'],
  ['a flag', { success: 1, errorCode: 0 }, null],
  ['a status with errors', { status: 'completed_with_errors' }, 'a:unknown b:unknown c:unknown'],
  ['an empty list of records', { items: [] }, 'a:unknown b:unknown c:unknown'],
])('%s', (_, answer, expected) => {
  expect(told(answer)).toBe(expected)
})
