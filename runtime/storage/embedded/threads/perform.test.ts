import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { migrate, Sql } from '../database/index.ts'
import type { Call } from './messages.ts'
import { Transactions } from './perform.ts'

const all = { organizations: 'all' }
const nobody = { organizations: [] }

function insert(uuid: string, scope: object = all): Call {
  const alert = {
    uuid,
    organization: 'o',
    organizationCode: 'O',
    provider: 'P',
    numberedAs: 'O-P',
    type: 't',
    content: '{}',
    name: 'n',
    tokens: ['n'],
    createdAt: 1,
    createdAtSource: null,
    createdBy: 'ada',
    idempotency: null,
  }
  return { aggregate: 'alerts', method: 'insert', parameters: [scope, [alert]] }
}

function opened() {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const sql = new Sql(database)
  const count = (): number => Number(database.prepare('SELECT count(*) AS count FROM alerts').get()?.['count'])
  return { sql, count, transactions: new Transactions(database, sql, 'BEGIN IMMEDIATE') }
}

const ids = (replies: readonly object[]): unknown[] =>
  replies.map((reply) => ('value' in reply ? (reply.value as { alert: { alertId: string } }[])[0]?.alert.alertId : null))

test('a call that fails leaves the others of its batch as if it had not been there', () => {
  const { transactions, sql, count } = opened()
  const replies = transactions.perform({ kind: 'batch', now: 1, calls: [insert('a'), insert('b', nobody), insert('c')] })
  expect(ids(replies)).toEqual(['O-P-1', null, 'O-P-2'])
  expect(replies[1]).toMatchObject({ failure: { code: expect.any(String) } })
  expect(count()).toBe(2)
  expect(sql.numbersTaken).toBe(2)
  expect(ids(transactions.perform({ kind: 'batch', now: 1, calls: [insert('d')] }))).toEqual(['O-P-3'])
})

test('a call that breaks a constraint after it has written is undone alone', () => {
  const { transactions, count } = opened()
  const replies = transactions.perform({ kind: 'batch', now: 1, calls: [insert('a'), insert('a'), insert('b')] })
  expect(ids(replies)).toEqual(['O-P-1', null, 'O-P-2'])
  expect(count()).toBe(2)
})

test('if the commit is refused, no call has an effect', () => {
  const { transactions, count } = opened()
  const refuse = (): void => {
    throw new Error('refused')
  }
  const replies = transactions.perform({ kind: 'batch', now: 1, calls: [insert('a'), insert('b')] }, { beforeCommit: refuse })
  expect(replies).toMatchObject([{ failure: { message: 'refused' } }, { failure: { message: 'refused' } }])
  expect(count()).toBe(0)
  expect(ids(transactions.perform({ kind: 'batch', now: 1, calls: [insert('c')] }))).toEqual(['O-P-1'])
})

test('what was executed is told before the commit, and not if a call of the batch failed', () => {
  const { transactions, count } = opened()
  const events: unknown[] = []
  const hooks = {
    executed: (replies: readonly object[]) => void events.push(ids(replies)),
    beforeCommit: () => void events.push('commit'),
  }
  transactions.perform({ kind: 'batch', now: 1, calls: [insert('a')] }, hooks)
  transactions.perform({ kind: 'batch', now: 1, calls: [insert('b'), insert('c', nobody)] }, hooks)
  expect(events).toEqual([['O-P-1'], 'commit', 'commit'])
  expect(count()).toBe(2)
})
