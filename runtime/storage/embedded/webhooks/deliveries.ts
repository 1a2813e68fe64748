import { type Delivery, type DeliveryId, deliveryStates, reaches, type Scope } from '../../../domain/index.ts'
import type { DeliveryOutcome, DeliveryStore, LeasedDelivery } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import type { Synchronous } from '../database/index.ts'
import { beginning, eachOf, listParameter, merged, type Row, type Sql, scopeFilter, scopeParameter } from '../database/index.ts'

function toDelivery(row: Row): Delivery {
  return {
    id: row['id'],
    webhook: row['webhook'],
    organization: row['organization'],
    event: row['event'],
    type: row['type'],
    body: row['body'],
    createdAt: row['created_at'],
    state: row['state'],
    attempts: row['attempts'],
    lastAttempt: row['last_attempt'] === null ? null : JSON.parse(String(row['last_attempt'])),
    nextAttemptAt: row['due_at'],
  } as Delivery
}

/** The `DeliveryStore` of the port in SQLite. */
export function deliveryTable(sql: Sql): Synchronous<DeliveryStore> {
  const get = (scope: Scope, id: DeliveryId): Delivery | null => {
    const row = sql.get('SELECT * FROM deliveries WHERE id = ?', id)
    const found = row ? toDelivery(row) : null
    return found && reaches(scope, found.organization) ? found : null
  }
  const settle = (id: DeliveryId, outcome: DeliveryOutcome): void => {
    if (outcome.kind === 'released') {
      sql.run('UPDATE deliveries SET due_at = ?, holder = NULL WHERE id = ?', sql.now, id)
      return
    }
    const waits = outcome.kind === 'again'
    sql.run(
      'UPDATE deliveries SET state = ?, due_at = ?, ended_at = ?, attempts = attempts + 1, last_attempt = ?, holder = NULL WHERE id = ?',
      waits ? 'waiting' : outcome.kind,
      waits ? sql.now + outcome.delay : null,
      waits ? null : sql.now,
      JSON.stringify(outcome.attempt),
      id,
    )
  }

  return {
    add(scope, deliveries) {
      for (const { id, webhook, organization, event, type, body, createdAt } of deliveries) {
        mustReach(reaches(scope, organization), 'delivery')
        sql.run(
          `INSERT INTO deliveries (id, webhook, organization, event, type, body, created_at, state, attempts, since, due_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting', 0, ?, ?) ON CONFLICT DO NOTHING`,
          id,
          webhook,
          organization,
          event,
          type,
          body,
          createdAt,
          sql.now,
          sql.now,
        )
      }
    },
    get,
    list(scope, { webhook, states = deliveryStates, after, limit }) {
      const wanted = [...new Set(states)]
      if (wanted.length === 0) return { items: [], more: false }
      // The index has the webhook, the state and the order: of many deliveries, few are dead.
      const { rows, more } = sql.page(
        limit,
        merged(
          '* FROM deliveries',
          eachOf('state', '?3', wanted.length),
          `webhook = ?2 AND ${scopeFilter('organization')} AND ${beginning('(created_at, id) < (?4, ?5)', after)}`,
          'ORDER BY created_at DESC, id DESC LIMIT ?6',
        ),
        scopeParameter(scope),
        webhook,
        listParameter(wanted),
        after?.createdAt ?? null,
        after?.id ?? null,
        limit + 1,
      )
      return { items: rows.map(toDelivery), more }
    },
    due(scope) {
      const rows = sql.all(
        `SELECT DISTINCT webhook FROM deliveries WHERE state = 'waiting' AND due_at <= ?2 AND ${scopeFilter('organization')}`,
        scopeParameter(scope),
        sql.now,
      )
      return rows.map((row) => row['webhook'] as Delivery['webhook'])
    },
    lease(scope, webhook, { holder, duration, limit }) {
      const rows = sql.all(
        `UPDATE deliveries SET holder = ?3, due_at = ?4 + ?5 WHERE id IN (
           SELECT id FROM deliveries WHERE state = 'waiting' AND webhook = ?2 AND due_at <= ?4 AND ${scopeFilter('organization')}
           ORDER BY due_at, id LIMIT ?6)
         RETURNING *`,
        scopeParameter(scope),
        webhook,
        holder,
        sql.now,
        duration,
        limit,
      )
      return rows.map((row): LeasedDelivery => ({ ...toDelivery(row), holder, age: sql.now - Number(row['since']) }))
    },
    settle(scope, id, holder, outcome) {
      const mine = sql.get('SELECT holder FROM deliveries WHERE id = ?', id)?.['holder'] === holder
      if (!mine || !get(scope, id)) return false
      settle(id, outcome)
      return true
    },
    abandon(scope, webhook, attempt) {
      return sql.run(
        `UPDATE deliveries SET state = 'dead', due_at = NULL, holder = NULL, ended_at = ?3, last_attempt = ?4
         WHERE state = 'waiting' AND webhook = ?2 AND ${scopeFilter('organization')}`,
        scopeParameter(scope),
        webhook,
        sql.now,
        JSON.stringify(attempt),
      )
    },
    again(scope, id) {
      if (!get(scope, id)) return null
      sql.run(
        "UPDATE deliveries SET state = 'waiting', attempts = 0, since = ?1, due_at = ?1, ended_at = NULL, holder = NULL WHERE id = ?2",
        sql.now,
        id,
      )
      return get(scope, id)
    },
    prune(scope, state, age, limit) {
      return sql.run(
        `DELETE FROM deliveries WHERE id IN (
           SELECT id FROM deliveries WHERE state = ?2 AND ended_at <= ?3 AND ${scopeFilter('organization')} LIMIT ?4)`,
        scopeParameter(scope),
        state,
        sql.now - age,
        limit,
      )
    },
  }
}
