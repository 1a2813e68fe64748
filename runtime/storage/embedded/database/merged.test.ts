import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type AlertStatus,
  asId,
  type Decision,
  type DecisionKind,
  type DeliveryState,
  decisionKinds,
  decisionStates,
  deliveryStates,
  type OrganizationId,
  type Scope,
  systemScope,
  type WebhookId,
} from '../../../domain/index.ts'
import type { AlertConditions, DecisionQuery } from '../../port/index.ts'
import { alertLists } from '../alerts/alert-list.ts'
import { listDecisions } from '../decisions/decision-list.ts'
import { deliveryTable } from '../webhooks/deliveries.ts'
import { migrate } from './schema.ts'
import { Sql } from './sql.ts'

/** More decisions than a condition may leave to be called few, of one organization too. */
const count = 11_000
const alertCount = 400
const org = (name: string): OrganizationId => asId<OrganizationId>(name)
const organizationOf = (n: number): OrganizationId => org(n % 900 === 5 ? 'small' : n % 2 ? 'one' : 'two')
const timeOf = (n: number): number => 1_000 + Math.floor(n / 3)
const idOf = (n: number): string => `u${String((n * 7_919) % 1_000_003).padStart(7, '0')}`
const kindOf = (n: number): DecisionKind => (n < 3_000 ? 'quota' : n % 700 === 1 ? 'in_doubt' : 'approval')
const decisionOf = (n: number) => ({
  ...{ id: idOf(n), organization: organizationOf(n), kind: kindOf(n), state: decisionStates[n % decisionStates.length]!, askedAt: timeOf(n) },
  quota: n % 1_000 === 7 ? 'rare' : n < 6_000 ? 'common' : null,
})
const scopes: Readonly<Record<string, Scope>> = {
  everyone: systemScope,
  small: { organizations: [org('small')] },
  two: { organizations: [org('one'), org('two')] },
  nobody: { organizations: [] },
}
const inScope = (scope: Scope, one: OrganizationId): boolean => scope.organizations === 'all' || scope.organizations.includes(one)

/** Newest first, and of those with one time, the greatest id first. */
function newestFirst<T extends { readonly id: string; readonly at: number }>(rows: readonly T[]): readonly string[] {
  return [...rows].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).map(({ id }) => id)
}

describe('lists that merge several values', () => {
  const database = new DatabaseSync(':memory:')
  let sql: Sql
  beforeAll(() => {
    migrate(database)
    sql = new Sql(database)
    database.exec('BEGIN')
    for (let n = 0; n < count; n += 1) {
      const { id, organization, kind, state, askedAt, quota } = decisionOf(n)
      sql.run(
        `INSERT INTO decisions (id, organization, run, kind, state, asked_at, deadline, revision, untold, quota, document)
         VALUES (?, ?, ?, ?, ?, ?, ?, 1, 0, ?, ?)`,
        ...[id, organization, `r${n % 4_000}`, kind, state, askedAt, askedAt, quota, JSON.stringify({ id, askedAt })],
      )
    }
    for (let n = 0; n < alertCount; n += 1) {
      sql.run(
        `INSERT INTO alerts (id, uuid, organization, organization_code, provider, provider_folded, numbered_as, sequence, alert_id, content, name,
           created_at, created_by) VALUES (?, ?, ?, 'C', 'p', 'p', 'C-P', ?, ?, '', 'x', ?, 'b')`,
        ...[n, idOf(n), organizationOf(n), n, `C-P-${n}`, timeOf(n)],
      )
      sql.run('INSERT INTO alert_states (id, status, retry_count, modified_at) VALUES (?, ?, 0, 0)', n, n % 5 ? 15 : 0)
      sql.run(
        `INSERT INTO deliveries (id, webhook, event, type, body, created_at, state, attempts, since) VALUES (?, ?, 'e', 't', '{}', ?, ?, 0, 0)`,
        ...[idOf(n), n % 3 ? 'w' : 'v', timeOf(n), deliveryStates[n % 40 === 3 ? 2 : n % 2]!],
      )
    }
    database.exec('COMMIT')
  })

  const all = Array.from({ length: count }, (_, n) => ({ ...decisionOf(n), run: `r${n % 4_000}`, at: timeOf(n) }))
  const conditions: Readonly<Record<string, Partial<DecisionQuery>>> = {
    'a kind that is rare': { kinds: ['in_doubt'] },
    'a kind that only old ones have': { kinds: ['quota'] },
    'two kinds, in two states': { kinds: ['quota', 'approval'], states: ['declined', 'open'] },
    'all kinds and states, some of them twice': { kinds: [...decisionKinds, 'quota'], states: [...decisionStates, 'open', 'open'] },
    'several states': { states: ['open', 'expired', 'settled'] },
    'no state at all': { states: [] },
    'no kind at all': { kinds: [] },
    'a rare quota': { quotas: ['rare'], states: ['open', 'approved', 'declined'] },
    'a common quota': { quotas: ['common'] },
    'a run': { runs: ['r7' as never], states: ['approved'] },
    'an organization': { organizations: [org('one')] },
    'an organization, and a kind': { organizations: [org('one')], kinds: ['quota'] },
    'a small organization': { organizations: [org('small')], kinds: ['quota', 'approval'] },
  }
  test.each(Object.entries(conditions))('decisions with %s are complete', (_, query) => {
    for (const scope of Object.values(scopes)) {
      const found: string[] = []
      for (let after: DecisionQuery['after'] = null; ; ) {
        const { items, more } = listDecisions(sql, scope, { ...query, after, limit: 700 })
        found.push(...items.map(({ id }) => id))
        const last = items.at(-1) as Decision
        if (!more) break
        after = { askedAt: last.askedAt, id: last.id }
      }
      const { kinds, states, quotas, runs, organizations } = query
      const wanted = all.filter(
        (one) =>
          inScope(scope, one.organization) &&
          (organizations?.includes(one.organization) ?? true) &&
          (kinds?.includes(one.kind) ?? true) &&
          (states?.includes(one.state) ?? true) &&
          (runs?.includes(one.run as never) ?? true) &&
          (quotas?.includes(one.quota as never) ?? true),
      )
      expect(found).toEqual(newestFirst(wanted))
    }
  })

  const alerts = Array.from({ length: alertCount }, (_, n) => ({ n, id: idOf(n), organization: organizationOf(n), at: timeOf(n) }))
  const others = Array.from({ length: 70 }, (_, n) => org(`other${n}`))
  const ofAlerts: Readonly<Record<string, AlertConditions>> = {
    'no condition': {},
    'two organizations, one of them twice': { organizations: [org('small'), org('two'), org('small')] },
    'more organizations than are merged': { organizations: [org('one'), ...others] },
    'no organization at all': { organizations: [] },
    'a time range': { organizations: [org('one'), org('two')], createdFrom: 1_020, createdTo: 1_090 },
  }
  test.each(Object.entries(ofAlerts))('alerts with %s are complete in both orders, and counted', (_, query) => {
    const lists = alertLists(sql)
    for (const scope of Object.values(scopes)) {
      const { organizations, createdFrom = 0, createdTo = Number.MAX_SAFE_INTEGER } = query
      const wanted = alerts.filter(
        (one) =>
          inScope(scope, one.organization) && (organizations?.includes(one.organization) ?? true) && one.at >= createdFrom && one.at < createdTo,
      )
      for (const sort of ['-created_at', 'created_at'] as const) {
        const found: string[] = []
        for (let after: Parameters<typeof lists.list>[1]['after'] = null; ; ) {
          const { items, more } = lists.list(scope, { ...query, sort, after, limit: 37, preview: 1 })
          found.push(...items.map(({ uuid }) => uuid))
          const last = items.at(-1)
          if (!more || !last) break
          after = { createdAt: last.createdAt, uuid: last.uuid }
        }
        expect(found).toEqual(sort === 'created_at' ? newestFirst(wanted).toReversed() : newestFirst(wanted))
      }
      const finished = { ...query, statuses: [15, 20] as AlertStatus[] }
      for (const [one, those] of [
        [query, wanted],
        [finished, wanted.filter(({ n }) => n % 5)],
      ] as const) {
        let total = 0
        for (let after: Parameters<typeof lists.tally>[2] = null; ; ) {
          const { matching, next } = lists.tally(scope, one, after, 50)
          total += matching
          if (!next) break
          after = next
        }
        expect(total).toBe(those.length)
      }
    }
  })

  test.each<readonly DeliveryState[] | undefined>([undefined, ['dead'], ['waiting', 'dead', 'dead'], []])(
    'deliveries in the states %j are complete',
    (states) => {
      const found: string[] = []
      for (let after: { readonly createdAt: number; readonly id: never } | null = null; ; ) {
        const query = { webhook: asId<WebhookId>('w'), ...(states && { states }), after, limit: 31 }
        const { items, more } = deliveryTable(sql).list(systemScope, query)
        found.push(...items.map(({ id }) => id))
        const last = items.at(-1)
        if (!more || !last) break
        after = { createdAt: last.createdAt, id: last.id as never }
      }
      const stateOf = (n: number): DeliveryState => deliveryStates[n % 40 === 3 ? 2 : n % 2]!
      expect(found).toEqual(newestFirst(alerts.filter(({ n }) => n % 3 && (states?.includes(stateOf(n)) ?? true))))
    },
  )
})
