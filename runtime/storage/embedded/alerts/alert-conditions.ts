import type { Scope } from '../../../domain/index.ts'
import type { AlertConditions, AlertPosition } from '../../port/index.ts'
import { listParameter, scopeParameter } from '../database/index.ts'

/** Limits by scope, organization, time and position. The indexes serve them: a page takes as long at the end of a list as at its beginning. */
export function rangeOf({ organizations }: AlertConditions, after: AlertPosition | null, direction: '<' | '>'): string {
  return `(:scope IS NULL OR a.organization IN (SELECT value FROM json_each(:scope)))
      ${organizations ? 'AND a.organization IN (SELECT value FROM json_each(:organizations))' : ''}
      AND a.created_at >= :from AND a.created_at < :to
      ${after ? `AND (a.created_at, a.uuid) ${direction} (:afterAt, :afterUuid)` : ''}`
}

/**
 * Returns the other conditions, except words. An absent one is NULL and lets every alert through, or is no part of the
 * statement if its presence changes the plan. So there are few statements, each compiled once.
 */
export function conditionsOf(conditions: AlertConditions): string {
  return `(:providers IS NULL OR a.provider_folded IN (SELECT value FROM json_each(:providers)))
      AND (:types IS NULL OR a.type_key IN (SELECT value FROM json_each(:types)))
      AND (:statuses IS NULL OR s.status IN (SELECT value FROM json_each(:statuses)))
      AND (:finished IS NULL OR iif(:finished, s.status >= 15, s.status < 15 AND a.type_key IS NOT NULL))
      AND (:playbooks IS NULL OR s.investigator IN (SELECT value FROM json_each(:playbooks)))
      AND (:duplicateOf IS NULL OR s.duplicate_of = :duplicateOf)
      ${conditions.case ? `AND s.case_uuid = :case AND a.id IN (${ofCase})` : ''}`
}

/** Reads the whole content, so it comes after everything else. */
export function contentOf({ contains }: AlertConditions): string {
  return contains ? 'instr(lower(a.content), :contains) > 0' : '1'
}

/** The alerts of a case and their duplicates, by index. */
export const ofCase = `WITH member (uuid) AS (SELECT m.value ->> '$.alertUuid' FROM cases c, json_each(c.alerts) m WHERE c.uuid = :case)
  SELECT f.id FROM member JOIN alerts f ON f.uuid = member.uuid
  UNION SELECT d.id FROM member JOIN alert_states d ON d.duplicate_of = member.uuid`

export function limitsOf(
  scope: Scope,
  { organizations, createdFrom = 0, createdTo = Number.MAX_SAFE_INTEGER }: AlertConditions,
  after: AlertPosition | null,
  direction: '<' | '>',
) {
  return {
    ...(after && { afterAt: after.createdAt, afterUuid: after.uuid }),
    scope: scopeParameter(scope),
    ...(organizations && { organizations: listParameter(organizations) }),
    // SQLite searches the index by the limits of time or by the position. With the position in both, it never reads earlier pages.
    from: after && direction === '>' ? Math.max(createdFrom, after.createdAt) : createdFrom,
    to: after && direction === '<' ? Math.min(createdTo, after.createdAt + 1) : createdTo,
  }
}

export function parametersOf(scope: Scope, conditions: AlertConditions, after: AlertPosition | null, direction: '<' | '>') {
  const { contains } = conditions
  return {
    ...limitsOf(scope, conditions, after, direction),
    providers: listParameter(conditions.providers),
    types: listParameter(conditions.types),
    statuses: listParameter(conditions.statuses),
    finished: conditions.finished === undefined ? null : Number(conditions.finished),
    playbooks: listParameter(conditions.playbooks),
    duplicateOf: conditions.duplicateOf ?? null,
    // SQLite's `lower` folds ASCII letters only.
    ...(contains && { contains: contains.text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) }),
    ...(conditions.case && { case: conditions.case }),
  }
}
