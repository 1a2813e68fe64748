import { eventId, type FactName, type Millis, type OrganizationId } from '../../../domain/index.ts'
import type { Sql } from '../database/index.ts'

/** Marks a fact in the outbox, in the transaction that makes it a fact. Does nothing if no webhook wants such facts. */
export function announce(sql: Sql, name: FactName, organization: OrganizationId, at: Millis): void {
  const told = sql.get(
    `SELECT 1 FROM webhooks WHERE enabled = 1 AND (organization IS NULL OR organization = ?)
       AND EXISTS (SELECT 1 FROM json_each(document, '$.events') WHERE value = ?) LIMIT 1`,
    organization,
    name.type,
  )
  if (!told) return
  sql.run(
    'INSERT INTO outbox (event, organization, type, subject, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
    eventId(name),
    organization,
    name.type,
    name.subject,
    at,
  )
}
