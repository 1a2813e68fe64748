import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { RunId } from '../../../domain/index.ts'
import { migrate } from '../database/schema.ts'
import { counting, listing, listingByDeadline } from './decisions.ts'

/** Returns SQLite's plan for a list: which index it reads, and whether it has to sort. */
function planOf(query: Omit<Parameters<typeof listing>[0], 'after'>): string {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${listing({ ...query, after: null })}`).all(...Array.from({ length: 9 }, () => null))
  database.close()
  return plan.map(({ detail }) => String(detail)).join('\n')
}

test('open decisions are read by state, sorted by time, without closed ones', () => {
  expect(planOf({ states: ['open'] })).toMatch(/SEARCH decisions USING INDEX decisions_state \(state=\?/)
  expect(planOf({ states: ['open'] })).not.toContain('TEMP B-TREE')
})

test('the decisions of a run are read by run', () => {
  const runs = ['r' as RunId]
  for (const query of [{ runs }, { runs, states: ['open'] as const }]) expect(planOf(query)).toMatch(/USING INDEX decisions_run \(run=\?/)
})

test('all decisions are read sorted by time', () => {
  expect(planOf({})).toContain('SCAN decisions USING INDEX decisions_asked')
  expect(planOf({})).not.toContain('TEMP B-TREE')
})

test('open decisions are read by deadline without closed ones, and without a sort', () => {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${listingByDeadline(null)}`).all(...Array.from({ length: 8 }, () => null))
  database.close()
  const said = plan.map(({ detail }) => String(detail)).join('\n')
  expect(said).toContain('USING INDEX decisions_deadline')
  expect(said).not.toContain('TEMP B-TREE')
})

test('decisions about a quota are counted by an index that holds only open ones', () => {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${counting}`).all(null, null)
  database.close()
  expect(plan.map(({ detail }) => String(detail)).join()).toContain('USING COVERING INDEX decisions_quota (organization=? AND quota=?)')
})
