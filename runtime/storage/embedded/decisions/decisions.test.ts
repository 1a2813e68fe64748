import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { asId, type OrganizationId, type RunId, systemScope } from '../../../domain/index.ts'
import { migrate } from '../database/schema.ts'
import { Sql } from '../database/sql.ts'
import { listByDeadline, listDecisions } from './decision-list.ts'
import { counting } from './decisions.ts'

/** Returns SQLite's plan for a list: which index it reads, and whether it has to sort. */
function planOf(list: (sql: Sql) => unknown): string {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const prepare = database.prepare.bind(database)
  let text = ''
  database.prepare = (sql: string) => {
    text = sql
    return prepare(sql)
  }
  list(new Sql(database))
  const plan = prepare(`EXPLAIN QUERY PLAN ${text}`).all(...Array.from({ length: 9 }, () => null))
  database.close()
  return plan.map(({ detail }) => String(detail)).join('\n')
}
const page = { after: null, limit: 50 } as const
const [run, organization] = [asId<RunId>('r'), asId<OrganizationId>('o')]

test.each([
  ['open ones', { states: ['open'] }, /SEARCH decisions USING INDEX decisions_state \(state=\?/],
  [
    'those in two states',
    { states: ['open', 'expired'] },
    /MERGE \(UNION ALL\)[\s\S]*INDEX decisions_state \(state=\?[\s\S]*INDEX decisions_state \(state=\?/,
  ],
  ['those of a kind', { kinds: ['quota'] }, /INDEX decisions_kind \(kind=\? AND state=\?/],
  ['those of a kind and in a state', { kinds: ['quota'], states: ['open'] }, /INDEX decisions_kind \(kind=\? AND state=\?/],
  ['all', {}, /SCAN decisions USING INDEX decisions_asked/],
] as const)('%s are read by an index, sorted by time', (_, query, index) => {
  const plan = planOf((sql) => listDecisions(sql, systemScope, { ...page, ...query }))
  expect(plan).toMatch(index)
  expect(plan).not.toContain('TEMP B-TREE')
})

test.each([
  ['of a run', { runs: [run] }, /INDEX decisions_run \(run=\?/],
  ['of a run that are open', { runs: [run], states: ['open'] }, /INDEX decisions_run \(run=\?/],
  ['of a small organization', { organizations: [organization] }, /INDEX decisions_organization \(organization=\?/],
  ['about a quota that few are about', { quotas: ['s'] }, /INDEX decisions_about_quota \(quota=\?/],
] as const)('those %s are looked up, whatever else is asked for', (_, query, index) => {
  expect(planOf((sql) => listDecisions(sql, systemScope, { ...page, ...query }))).toMatch(index)
  expect(planOf((sql) => listByDeadline(sql, systemScope, { ...page, ...query }))).toMatch(index)
})

test('open decisions are read by deadline without closed ones, and without a sort', () => {
  const plan = planOf((sql) => listByDeadline(sql, systemScope, page))
  expect(plan).toContain('USING INDEX decisions_deadline')
  expect(plan).not.toContain('TEMP B-TREE')
})

test('decisions about a quota are counted by an index that holds only open ones', () => {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${counting}`).all(null, null)
  database.close()
  expect(plan.map(({ detail }) => String(detail)).join()).toContain('USING COVERING INDEX decisions_quota (organization=? AND quota=?)')
})
