import { expect, test } from 'vitest'
import { withChildren } from './children.ts'
import { encodedLength, runQuery } from './query.ts'
import { answering } from './testing.ts'

const record = (n: number): object => ({ Id: n })
const records = (from: number, to: number): object[] => Array.from({ length: to - from + 1 }, (_, index) => record(from + index))

test('pages are followed as the answer says, and each is told', async () => {
  const call = answering(
    { totalSize: 5, done: false, nextRecordsUrl: '/services/data/v66.0/query/01g-2', records: records(1, 2) },
    { totalSize: 5, done: false, nextRecordsUrl: '/services/data/v66.0/query/01g-4', records: records(3, 4) },
    { totalSize: 5, done: true, records: records(5, 5) },
  )
  expect(await runQuery(call, 'SELECT Id FROM A', 10)).toEqual({ total: 5, records: records(1, 5), truncated: false })
  expect(call.asked).toEqual(['/query SELECT Id FROM A', 'origin /services/data/v66.0/query/01g-2', 'origin /services/data/v66.0/query/01g-4'])
  expect(call.lines).toHaveLength(3)
  expect(call.lines[1]).toBe('page read {"page":2,"records":4,"total":5}')
})

test('no page is fetched that is not needed, and what is missing is said', async () => {
  const first = { totalSize: 5, done: false, nextRecordsUrl: '/next', records: records(1, 2) }
  expect(await runQuery(answering(first), 'q', 2)).toEqual({ total: 5, records: records(1, 2), truncated: true })
  expect(await runQuery(answering(first), 'q', 1)).toEqual({ total: 5, records: records(1, 1), truncated: true })
  expect(await runQuery(answering({ totalSize: 2, done: true, records: records(1, 2) }), 'q', 1)).toMatchObject({ truncated: true })
  expect(await runQuery(answering({ totalSize: 2, done: true, records: records(1, 2) }), 'q', 2)).toMatchObject({ truncated: false })
})

test('a count has no records, and none is missing', async () => {
  const call = answering({ totalSize: 7, done: true, records: [] })
  expect(await runQuery(call, 'q', 1, { deleted: true })).toEqual({ total: 7, records: [], truncated: false })
  expect(call.asked).toEqual(['/queryAll q'])
})

test('fetches the missing children, at any depth', async () => {
  const parent = {
    Name: 'a',
    Contacts: {
      totalSize: 2,
      done: false,
      nextRecordsUrl: '/c',
      records: [{ Id: 1, Cases: { totalSize: 2, done: false, nextRecordsUrl: '/k', records: [{ Id: 'k1' }] } }],
    },
    Cases: null,
  }
  const call = answering({ totalSize: 2, done: true, records: [{ Id: 2, Cases: null }] }, { totalSize: 2, done: true, records: [{ Id: 'k2' }] })
  const budget = { requests: 5, records: 100, exhausted: false }
  expect(await withChildren(call, parent, budget)).toEqual({
    Name: 'a',
    Contacts: {
      totalSize: 2,
      done: true,
      records: [
        { Id: 1, Cases: { totalSize: 2, done: true, records: [{ Id: 'k1' }, { Id: 'k2' }] } },
        { Id: 2, Cases: null },
      ],
    },
    Cases: null,
  })
  expect(call.asked).toEqual(['origin /c', 'origin /k'])
  expect(budget).toEqual({ requests: 3, records: 98, exhausted: false })
})

test('pages of children that repeat are an error', async () => {
  const budget = { requests: 10, records: 10, exhausted: false }
  const children = { totalSize: 9, done: false, nextRecordsUrl: '/c', records: [{ Id: 1 }] }
  const call = answering({ ...children, records: [{ Id: 2 }] })
  await expect(withChildren(call, { Contacts: children }, budget)).rejects.toThrow('circle')
  expect(call.asked).toHaveLength(1)
})

test('children beyond the budget are left out, and the output says so', async () => {
  const budget = { requests: 0, records: 100, exhausted: false }
  const children = { totalSize: 2, done: false, nextRecordsUrl: '/c', records: [{ Id: 1 }] }
  expect(await withChildren(answering(), { Contacts: children }, budget)).toEqual({ Contacts: { totalSize: 2, done: false, records: [{ Id: 1 }] } })
  expect(budget.exhausted).toBe(true)
})

test('the length in the URL counts', () => {
  expect(encodedLength('a b')).toBe(5)
  expect(encodedLength('é')).toBe(6)
})

test('reads a page without counts; something that is not a page is not an empty page', async () => {
  expect(await runQuery(answering({ records: records(1, 2) }), 'q', 5)).toEqual({ total: 2, records: records(1, 2), truncated: false })
  expect(await runQuery(answering({ totalSize: 7, done: true }), 'q', 5)).toEqual({ total: 7, records: [], truncated: false })
  for (const body of [[], {}, '', 'text']) await expect(runQuery(answering(body), 'q', 5)).rejects.toThrow('not a page')
})
