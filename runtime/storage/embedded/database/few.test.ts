import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  asId,
  type Case,
  type CaseSort,
  casePosition,
  caseSorts,
  type OrganizationId,
  type Run,
  type Scope,
  severities,
  systemScope,
} from '../../../domain/index.ts'
import type { CaseQuery, RunQuery } from '../../port/index.ts'
import { listCases } from '../cases/case-list.ts'
import { caseTable } from '../cases/cases.ts'
import { CaseSegments } from '../cases/words/index.ts'
import { listRuns } from '../runs/run-list.ts'
import { migrate } from './schema.ts'
import { Sql } from './sql.ts'

/** More than a condition may leave to be called few, for the common values of each column. */
const count = 13_000
const org = (name: string): OrganizationId => asId<OrganizationId>(name)
const organizationOf = (n: number): string => (n % 900 === 5 ? 'small' : n % 2 ? 'one' : 'two')
const timeOf = (n: number): number => 1_000 + Math.floor(n / 3)
const uuidOf = (n: number): string => `u${String((n * 7_919) % 1_000_003).padStart(7, '0')}`

describe('lists of many rows', () => {
  const database = new DatabaseSync(':memory:')
  let sql: Sql
  const statements: string[] = []

  beforeAll(() => {
    migrate(database)
    const prepare = database.prepare.bind(database)
    database.prepare = (text: string) => {
      statements.push(text)
      return prepare(text)
    }
    sql = new Sql(database)
    database.exec('BEGIN')
    for (let n = 0; n < count; n += 1) {
      const desk = n % 1_000 === 77 ? JSON.stringify({ tags: ['vip'], tasks: [], links: [] }) : null
      sql.run(
        `INSERT INTO cases (uuid, organization, number, case_id, alerts, title, severity, status, disposition, assignee, created_at, modified_at, desk)
         VALUES (?, ?, ?, ?, '[]', ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[uuidOf(n), organizationOf(n), n, `C-${n}`, `title ${n % 10}`, severities[n % severities.length]!, n % 50 ? 'closed' : 'new'],
        ...[n % 700 === 3 ? 'malicious' : n % 2 ? 'non_malicious_positive' : 'pending', n % 2 ? 'Ann' : n % 800 === 2 ? 'Bob' : null],
        ...[timeOf(n), timeOf((n * 31) % count), desk],
      )
      const pins = JSON.stringify({ playbook: { name: n < 6_000 ? 'old' : n % 600 === 1 ? 'rare' : n % 2 ? 'usual' : 'other' } })
      sql.run(
        `INSERT INTO runs (id, alert, organization, type, attempt, state, epoch, owner, pins, case_uuid, case_id, started_at)
         VALUES (?, 'a', ?, ?, 1, ?, 1, 's', ?, 'c', 'C-1', ?)`,
        ...[uuidOf(n), organizationOf(n), n < 12_000 ? (n % 2 ? 'left' : 'right') : 'new', n % 400 ? 'completed' : 'failed', pins, timeOf(n)],
      )
    }
    // Tags that come and go.
    for (let n = 0; n < count; n += 500) sql.run('UPDATE cases SET desk = ? WHERE uuid = ?', JSON.stringify({ tags: ['late', 'vip'] }), uuidOf(n))
    sql.run('UPDATE cases SET desk = ? WHERE uuid = ?', JSON.stringify({ tags: ['late'] }), uuidOf(77))
    database.exec('COMMIT')
  })

  const everything = listed<Case>((after) => {
    const last = after && casePosition(after, 'created_at')
    return listCases(sql, new CaseSegments(sql), systemScope, { sort: 'created_at', after: last, limit: 1_000 })
  })
  function listed<T>(page: (after: T | null) => { readonly items: readonly T[]; readonly more: boolean }): () => readonly T[] {
    return () => {
      const items: T[] = []
      for (;;) {
        const next = page(items.at(-1) ?? null)
        items.push(...next.items)
        if (!next.more) return items
      }
    }
  }

  const scopes: Readonly<Record<string, Scope>> = {
    everyone: systemScope,
    small: { organizations: [org('small')] },
    one: { organizations: [org('one')] },
  }
  const caseFilters: Readonly<Record<string, Partial<CaseQuery>>> = {
    'a rare disposition': { dispositions: ['malicious'] },
    'a common disposition': { dispositions: ['non_malicious_positive'] },
    'two dispositions': { dispositions: ['malicious', 'non_malicious_positive'] },
    'a rare assignee': { assignees: ['Bob'] },
    'a common assignee': { assignees: ['Ann'] },
    nobody: { assignees: [null] },
    'nobody or a rare one': { assignees: [null, 'Bob'] },
    'no assignee at all': { assignees: [] },
    'a narrow time range': { createdFrom: 2_000, createdTo: 2_400 },
    'an earliest time': { createdFrom: 1_300 },
    'an open status': { statuses: ['new', 'contained'] },
    'a mark, of which there is none': { attention: true },
    'a latest time, and nobody': { createdTo: 5_000, assignees: [null] },
    'a tag': { tags: ['vip'] },
    'two tags': { tags: ['vip', 'late'] },
    'a tag that is gone': { tags: ['early'] },
    'a rare organization, open': { organizations: [org('small')], statuses: ['new'] },
    'a common organization': { organizations: [org('two')], createdFrom: 2_000, createdTo: 4_000 },
    'a common disposition and assignee, one severity': { dispositions: ['non_malicious_positive'], assignees: ['Ann'], severities: ['high'] },
    'a rare disposition and a word': { dispositions: ['malicious'], words: ['TITLE 3'] },
  }
  const matches = (one: Case, scope: Scope, query: Partial<CaseQuery>): boolean =>
    (scope.organizations === 'all' || scope.organizations.includes(one.organization)) &&
    (query.organizations?.includes(one.organization) ?? true) &&
    (query.dispositions?.includes(one.disposition) ?? true) &&
    (query.assignees?.includes(one.assignee) ?? true) &&
    (query.statuses?.includes(one.status) ?? true) &&
    (query.severities?.includes(one.severity) ?? true) &&
    (query.attention === undefined || !query.attention) &&
    (query.tags?.some((tag) => one.desk.tags.includes(tag)) ?? true) &&
    (query.words?.every((word) => one.title.includes(word.toLowerCase())) ?? true) &&
    one.createdAt >= (query.createdFrom ?? 0) &&
    one.createdAt < (query.createdTo ?? Number.MAX_SAFE_INTEGER)

  test.each(Object.entries(caseFilters))('of cases with %s are complete in every order', (_, query) => {
    const all = everything()
    expect(all).toHaveLength(count)
    for (const scope of Object.values(scopes)) {
      for (const sort of caseSorts as readonly CaseSort[]) {
        const found = listed<Case>((after) =>
          listCases(sql, new CaseSegments(sql), scope, { ...query, sort, after: after && casePosition(after, sort), limit: 900 }),
        )()
        const keys = new Map(all.map((one) => [one.uuid, casePosition(one, sort).key]))
        const direction = sort.startsWith('-') ? -1 : 1
        const wanted = all
          .filter((one) => matches(one, scope, query))
          .sort((a, b) => direction * ((keys.get(a.uuid) ?? 0) - (keys.get(b.uuid) ?? 0) || (a.uuid < b.uuid ? -1 : 1)))
        expect([sort, found.map(({ uuid }) => uuid)]).toEqual([sort, wanted.map(({ uuid }) => uuid)])
      }
    }
  })

  const runFilters: Readonly<Record<string, Partial<RunQuery>>> = {
    'a rare playbook': { playbooks: ['rare'] },
    'a common playbook that no new run has': { playbooks: ['old'] },
    'two playbooks': { playbooks: ['old', 'rare'] },
    'the same playbook twice': { playbooks: ['old', 'old'] },
    'two types that no new run has': { types: ['left', 'right'] },
    'types and playbooks': { types: ['left', 'right'], playbooks: ['old', 'usual', 'other'] },
    'many types': { types: ['left', 'right', ...'abcdefgh'] },
    'a rare organization': { organizations: [org('small')] },
    'a common organization and playbook': { organizations: [org('one')], playbooks: ['old'] },
    'failed ones of a type and a common playbook': { types: ['left'], playbooks: ['old'], states: ['failed'] },
    'no type': { types: [] },
  }
  test.each(Object.entries(runFilters))('of runs with %s are complete', (_, query) => {
    const all = listed<Run>((last) => listRuns(sql, systemScope, { after: last && { startedAt: last.startedAt, id: last.id }, limit: 1_000 }))()
    expect(all).toHaveLength(count)
    for (const scope of Object.values(scopes)) {
      const found = listed<Run>((last) => listRuns(sql, scope, { ...query, after: last && { startedAt: last.startedAt, id: last.id }, limit: 700 }))()
      const wanted = all.filter(
        (run) =>
          (scope.organizations === 'all' || scope.organizations.includes(run.organization)) &&
          (query.organizations?.includes(run.organization) ?? true) &&
          (query.types?.includes(run.type) ?? true) &&
          (query.playbooks?.includes(run.pins.playbook.name) ?? true) &&
          (query.states?.includes(run.state) ?? true),
      )
      expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id))
    }
  })

  /** Returns how the last statement of a list reads its table. */
  function planOf(list: () => unknown): string {
    const [before] = [statements.length]
    list()
    const text = statements.slice(before).findLast((statement) => statement.includes('ORDER BY')) ?? ''
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...Array.from({ length: new Set(text.match(/\?\d+/g)).size }, () => null))
    return plan.map(({ detail }) => String(detail)).join('\n')
  }
  const cases = (query: Partial<CaseQuery>) => () => caseTable(new Sql(database)).list(systemScope, { after: null, limit: 50, ...query })
  const runs = (query: Partial<RunQuery>) => () => listRuns(new Sql(database), systemScope, { after: null, limit: 50, ...query })
  test.each<[string, () => unknown, RegExp]>([
    ['cases with a rare disposition', cases({ dispositions: ['malicious'] }), /cases_disposition \(disposition=\?/],
    ['cases by change with a rare assignee', cases({ assignees: ['Bob'], sort: '-modified_at' }), /cases_assignee \(assignee=\?/],
    ['cases by severity with a tag', cases({ tags: ['late'], sort: 'severity' }), /case_tags USING PRIMARY KEY \(tag=\?/],
    ['cases of a rare organization', cases({ organizations: [org('small')] }), /cases_organization \(organization=\?/],
    ['cases with a common disposition', cases({ dispositions: ['non_malicious_positive'] }), /cases_disposition \(disposition=\? AND created_at/],
    ['cases by severity, of nobody', cases({ assignees: [null], sort: '-severity' }), /cases_severity \(severity=\? AND created_at/],
    ['cases of a rare severity by change', cases({ severities: ['high'], sort: '-modified_at' }), /cases_severity \(severity=\?/],
    ['open cases by severity', cases({ statuses: ['new'], sort: '-severity' }), /INDEX cases_open/],
    ['open cases by change', cases({ statuses: ['new'], sort: '-modified_at' }), /INDEX cases_open/],
    ['noticed cases by change', cases({ attention: true, sort: '-modified_at' }), /INDEX cases_attention/],
    ['cases of nobody', cases({ assignees: [null] }), /cases_assignee \(assignee=\? AND created_at/],
    ['cases by change since a time', cases({ createdFrom: 1_300, sort: '-modified_at' }), /SCAN cases USING INDEX cases_modified/],
    [
      'cases by change in a narrow time range',
      cases({ createdFrom: 2_000, createdTo: 2_400, sort: '-modified_at' }),
      /cases_created \(created_at>\?/,
    ],
    ['runs with a rare playbook', runs({ playbooks: ['rare'] }), /runs_playbook \(playbook=\?/],
    ['runs with a common playbook', runs({ playbooks: ['old'] }), /runs_playbook \(playbook=\? AND started_at/],
    ['runs with two types', runs({ types: ['left', 'right'] }), /runs_type \(type=\? AND started_at/],
    ['runs of a common organization', runs({ organizations: [org('one')] }), /runs_organization \(organization=\? AND started_at/],
  ])('%s are read by an index', (_, list, index) => {
    expect(planOf(list)).toMatch(index)
  })
})
