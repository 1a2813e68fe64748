import { reaches, type Scope, type Webhook, type WebhookId } from '../../../domain/index.ts'
import type { WebhookStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import type { Synchronous } from '../database/index.ts'
import { type Row, type Sql, scopeFilter, scopeParameter } from '../database/index.ts'

function toWebhook(row: Row): Webhook {
  return JSON.parse(String(row['document'])) as Webhook
}

/** The `WebhookStore` of the port in SQLite. */
export function webhookTable(sql: Sql): Synchronous<WebhookStore> {
  const get = (scope: Scope, id: WebhookId): Webhook | null => {
    const row = sql.get('SELECT document FROM webhooks WHERE id = ?', id)
    const found = row ? toWebhook(row) : null
    return found && reaches(scope, found.organization) ? found : null
  }

  return {
    create(scope, webhook) {
      const { id, organization, disabled, revision } = webhook
      mustReach(reaches(scope, organization), 'webhook')
      sql.run(
        'INSERT INTO webhooks (id, organization, enabled, revision, document) VALUES (?, ?, ?, ?, ?)',
        id,
        organization,
        disabled === null ? 1 : 0,
        revision,
        JSON.stringify(webhook),
      )
    },
    get,
    list(scope, { after, limit }) {
      const rows = sql.all(
        `SELECT document FROM webhooks WHERE ${scopeFilter('organization')} AND id > ?2 ORDER BY id LIMIT ?3`,
        scopeParameter(scope),
        after ?? '',
        limit + 1,
      )
      return { items: rows.slice(0, limit).map(toWebhook), more: rows.length > limit }
    },
    count(scope, organization) {
      const row = sql.get(
        `SELECT count(*) AS count FROM webhooks WHERE organization IS ?2 AND ${scopeFilter('organization')}`,
        scopeParameter(scope),
        organization,
      )
      return Number(row?.['count'])
    },
    enabled(scope) {
      return sql
        .all(`SELECT document FROM webhooks WHERE enabled = 1 AND ${scopeFilter('organization')} ORDER BY id`, scopeParameter(scope))
        .map(toWebhook)
    },
    revise(scope, next) {
      const { id, organization, disabled, revision } = next
      if (!get(scope, id) || !reaches(scope, organization)) return 'changed'
      const changed = sql.run(
        'UPDATE webhooks SET organization = ?, enabled = ?, revision = ?, document = ? WHERE id = ? AND revision = ?',
        organization,
        disabled === null ? 1 : 0,
        revision,
        JSON.stringify(next),
        id,
        revision - 1,
      )
      return changed > 0 ? 'revised' : 'changed'
    },
    remove(scope, id) {
      if (!get(scope, id)) return false
      sql.run('DELETE FROM deliveries WHERE webhook = ?', id)
      return sql.run('DELETE FROM webhooks WHERE id = ?', id) > 0
    },
  }
}
