import type { Json } from '@tocsin/plugin'
import type { Period } from './period.ts'
import type { CrmRecord } from './query.ts'
import { dateTime, isoTime, oneOf, select } from './soql.ts'

export interface AuditFilter {
  readonly period: Period
  /** A condition that selects the user. Null: any user. */
  readonly by: string | null
  readonly actions: readonly string[]
  readonly limit: number
}

/**
 * Optional fields: `CreatedByContext` exists since API version 48.0, `DelegateUser` since 35.0, and not
 * every user may see who created an entry.
 */
export const optionalAuditFields = ['CreatedBy.Name', 'CreatedBy.Username', 'DelegateUser', 'ResponsibleNamespacePrefix', 'CreatedByContext']
export const auditFields = ['Id', 'Action', 'Section', 'Display', 'CreatedDate', 'CreatedById', ...optionalAuditFields]

/**
 * Returns the statement for the setup audit trail, newest first. The platform cannot filter by
 * Display and Section.
 */
export function auditQuery({ period, by, actions, limit }: AuditFilter, fields: readonly string[] = auditFields): string {
  const where = [
    ...(period.after === null ? [] : [`CreatedDate >= ${dateTime(period.after)}`]),
    ...(period.before === null ? [] : [`CreatedDate < ${dateTime(period.before)}`]),
    ...(by === null ? [] : [by]),
    ...(actions.length === 0 ? [] : [`Action ${oneOf(actions)}`]),
  ]
  return select({ fields, from: 'SetupAuditTrail', where, orderBy: 'CreatedDate DESC, Id DESC', limit })
}

/** Converts an entry to the form of the skill's output. */
export function auditEntry(record: CrmRecord): Json {
  const by = record['CreatedBy']
  const person = typeof by === 'object' && by !== null && !Array.isArray(by) ? (by as CrmRecord) : {}
  return {
    id: text(record['Id']),
    action: text(record['Action']),
    section: text(record['Section']),
    display: text(record['Display']),
    created_at: isoTime(record['CreatedDate']),
    user_id: text(record['CreatedById']),
    user_name: text(person['Username']),
    user_display_name: text(person['Name']),
    delegate_user: text(record['DelegateUser']),
    context: text(record['CreatedByContext']),
    namespace: text(record['ResponsibleNamespacePrefix']),
  }
}

function text(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}
