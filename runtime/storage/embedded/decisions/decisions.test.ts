import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { RunId } from '../../../domain/index.ts'
import { migrate } from '../database/schema.ts'
import { counting, listing } from './decisions.ts'

/** Returns SQLite's plan for a list: which index it reads, and whether it has to sort. */
function planOf(query: Parameters<typeof listing>[0]): string {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${listing(query)}`).all(...Array.from({ length: 9 }, () => null))
  database.close()
  return plan.map(({ detail }) => String(detail)).join('\n')
}

test('what is open is read by the states, in the order of time, without those that are closed', () => {
  expect(planOf({ states: ['open'] })).toMatch(/SEARCH decisions USING INDEX decisions_state \(state=\?/)
  expect(planOf({ states: ['open'] })).not.toContain('TEMP B-TREE')
})

test('what a run has asked is read by the run', () => {
  const runs = ['r' as RunId]
  for (const query of [{ runs }, { runs, states: ['open'] as const }]) expect(planOf(query)).toMatch(/USING INDEX decisions_run \(run=\?/)
})

test('everything is read in the order of time', () => {
  expect(planOf({})).toContain('SCAN decisions USING INDEX decisions_asked')
  expect(planOf({})).not.toContain('TEMP B-TREE')
})

test('what waits for a quota is counted by an index that holds only that', () => {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${counting}`).all(null, null)
  database.close()
  expect(plan.map(({ detail }) => String(detail)).join()).toContain('USING COVERING INDEX decisions_quota (organization=? AND quota=?)')
})
