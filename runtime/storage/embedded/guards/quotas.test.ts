import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { asId, largestQuota, longestQuota, type OrganizationId, systemScope } from '../../../domain/index.ts'
import { migrate } from '../database/schema.ts'
import { Sql } from '../database/sql.ts'
import { quotaTable } from './quotas.ts'

const day = 86_400_000

function open() {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const sql = new Sql(database)
  sql.now = 100 * day
  const table = quotaTable(sql)
  const count = (key: string, skill = 'mfa.suspend', organization = 'acme') =>
    table.count(systemScope, {
      organization: asId<OrganizationId>(organization),
      skill,
      key,
      quota: { calls: 1, per: 1_000 },
      anyway: true,
    })
  return { sql, table, count, rows: () => Number(sql.get('SELECT count(*) AS n FROM quota_calls')?.['n']) }
}

test('counting a call deletes the calls of any skill that are older than any quota', () => {
  const { sql, count, rows } = open()
  count('a', 'mfa.bypass', 'globex')
  count('b')
  sql.now += longestQuota - 1
  count('c')
  expect(rows()).toBe(3)
  sql.now += 1
  count('d')
  expect(rows()).toBe(2)
})

test('no more calls of a skill are kept than the largest quota has', () => {
  const { sql, table, count, rows } = open()
  for (let n = 0; n < largestQuota + 50; n += 1) {
    sql.now += 1
    count(`call ${n}`)
  }
  count('other', 'mfa.bypass')
  expect(rows()).toBe(largestQuota + 1)
  const spans = [{ skill: 'mfa.suspend', per: day }]
  expect(table.usage(systemScope, asId<OrganizationId>('acme'), spans)).toEqual([{ calls: largestQuota, since: sql.now - largestQuota + 1 }])
})
