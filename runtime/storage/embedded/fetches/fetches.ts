import { type AlertFetch, type FetchId, type FetchState, inScope, type Scope } from '../../../domain/index.ts'
import type { FetchStore, KnownFetch } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import type { Synchronous } from '../database/index.ts'
import { type Row, type Sql, scopeFilter, scopeParameter } from '../database/index.ts'

function toKnown(row: Row, now: number): KnownFetch {
  const leased = row['holder'] !== null && Number(row['due_at']) > now && row['begun_at'] !== null
  return {
    fetch: JSON.parse(String(row['document'])) as AlertFetch,
    state: JSON.parse(String(row['state'])) as FetchState,
    ...(leased && { begunAt: Number(row['begun_at']) }),
  }
}

const known = 'document, state, holder, due_at, begun_at'

function isFailing({ last }: FetchState): number {
  return last?.failure ? 1 : 0
}

/** The `FetchStore` of the port in SQLite. While a fetch is leased, it is due when the lease ends. */
export function fetchTable(sql: Sql): Synchronous<FetchStore> {
  const get = (scope: Scope, id: FetchId): KnownFetch | null => {
    const row = sql.get(`SELECT ${known} FROM fetches WHERE id = ?`, id)
    const found = row ? toKnown(row, sql.now) : null
    return found && inScope(scope, found.fetch.organization) ? found : null
  }
  const heldBy = (scope: Scope, id: FetchId, holder: string): boolean =>
    sql.get('SELECT holder FROM fetches WHERE id = ?', id)?.['holder'] === holder && get(scope, id) !== null

  return {
    create(scope, fetch, state) {
      const { id, organization, enabled, revision } = fetch
      mustReach(inScope(scope, organization), 'fetch')
      sql.run(
        'INSERT INTO fetches (id, organization, enabled, failing, revision, due_at, document, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        id,
        organization,
        enabled ? 1 : 0,
        isFailing(state),
        revision,
        sql.now,
        JSON.stringify(fetch),
        JSON.stringify(state),
      )
    },
    get,
    list(scope, { after, limit }) {
      const { rows, more } = sql.page(
        limit,
        `SELECT ${known} FROM fetches WHERE ${scopeFilter('organization')} AND id > ?2 ORDER BY id LIMIT ?3`,
        scopeParameter(scope),
        after ?? '',
        limit + 1,
      )
      return { items: rows.map((row) => toKnown(row, sql.now)), more }
    },
    count(scope, organization) {
      const row = sql.get(
        `SELECT count(*) AS count FROM fetches WHERE organization = ?2 AND ${scopeFilter('organization')}`,
        scopeParameter(scope),
        organization,
      )
      return Number(row?.['count'])
    },
    failing(scope) {
      const row = sql.get(
        `SELECT count(*) AS count FROM fetches WHERE enabled = 1 AND failing = 1 AND ${scopeFilter('organization')}`,
        scopeParameter(scope),
      )
      return Number(row?.['count'])
    },
    revise(scope, next, since) {
      const { id, organization, enabled, revision } = next
      const standing = get(scope, id)
      if (!standing || !inScope(scope, organization)) return 'changed'
      const state = since === null ? standing.state : { ...standing.state, since }
      const changed = sql.run(
        `UPDATE fetches SET organization = ?, enabled = ?, revision = ?, due_at = ?, holder = NULL, document = ?, state = ?
         WHERE id = ? AND revision = ?`,
        organization,
        enabled ? 1 : 0,
        revision,
        sql.now,
        JSON.stringify(next),
        JSON.stringify(state),
        id,
        revision - 1,
      )
      return changed > 0 ? 'revised' : 'changed'
    },
    remove(scope, id) {
      return get(scope, id) !== null && sql.run('DELETE FROM fetches WHERE id = ?', id) > 0
    },
    hurry(scope, id, spacing) {
      const known = get(scope, id)
      if (!known) return false
      // The clock of the process that made it may be ahead.
      const ended = Math.min(known.state.last?.endedAt ?? 0, sql.now)
      // An attempt under way is at work already.
      sql.run('UPDATE fetches SET due_at = min(due_at, ?) WHERE id = ? AND holder IS NULL', Math.max(sql.now, ended + spacing), id)
      return true
    },
    due(scope, limit) {
      const rows = sql.all(
        `SELECT id FROM fetches WHERE enabled = 1 AND due_at <= ?2 AND ${scopeFilter('organization')} ORDER BY due_at, id LIMIT ?3`,
        scopeParameter(scope),
        sql.now,
        limit,
      )
      return rows.map((row) => row['id'] as FetchId)
    },
    lease(scope, id, { holder, duration }) {
      const standing = get(scope, id)
      const taken =
        standing &&
        sql.run(
          'UPDATE fetches SET holder = ?1, due_at = ?2 + ?3, begun_at = ?2 WHERE id = ?4 AND enabled = 1 AND due_at <= ?2',
          holder,
          sql.now,
          duration,
          id,
        )
      return taken ? standing : null
    },
    extend(scope, id, { holder, duration }) {
      if (!heldBy(scope, id, holder)) return false
      return sql.run('UPDATE fetches SET due_at = ?1 + ?2 WHERE id = ?3 AND due_at > ?1', sql.now, duration, id) > 0
    },
    settle(scope, id, holder, state, delay) {
      if (!heldBy(scope, id, holder)) return false
      sql.run(
        'UPDATE fetches SET state = ?, failing = ?, due_at = ?, holder = NULL WHERE id = ?',
        JSON.stringify(state),
        isFailing(state),
        sql.now + delay,
        id,
      )
      return true
    },
  }
}
