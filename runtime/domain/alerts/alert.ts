import type { CaseAlert } from '../cases/case.ts'
import type { AlertUuid, CaseUuid, OrganizationId, PrincipalId } from '../ids.ts'
import type { Millis } from '../seams.ts'

/** Specification 3.1, `investigation_status`. */
export const AlertStatus = { created: 0, submitted: 5, inProgress: 10, completed: 15, failed: 20 } as const
export type AlertStatus = (typeof AlertStatus)[keyof typeof AlertStatus]

/** The words of the Alerts page (specification 3.1). */
export const alertStatusNames: Readonly<Record<AlertStatus, string>> = {
  0: 'Created',
  5: 'Submitted',
  10: 'Inprogress',
  15: 'Completed',
  20: 'Failed',
}

/**
 * Which status may follow which; every store enforces it by compare-and-set.
 *
 * 0 -> 10 is legal: a worker may be quicker than the note that the alert was handed over. 15 and 20 go back to 5 when
 * another investigation follows (a retry), which somebody asks for, or which follows a fault of the infrastructure by itself; and only so.
 * A duplicate goes from 0 or 5 to 15 at once: it has no run.
 */
const alertTransitions: Readonly<Record<AlertStatus, readonly AlertStatus[]>> = {
  0: [5, 10],
  5: [10],
  10: [15, 20],
  15: [5],
  20: [5],
}

/** The investigation is over, unless another follows. */
export const endedStatuses: readonly AlertStatus[] = [AlertStatus.completed, AlertStatus.failed]

/** Of an alert that no run has taken: from these it may turn out to be a duplicate. */
export const statusesBeforeClaim: readonly AlertStatus[] = [AlertStatus.created, AlertStatus.submitted]

/** The statuses from which a run's projection may reach `to`. */
export function statusesBefore(to: AlertStatus): readonly AlertStatus[] {
  return Object.values(AlertStatus).filter((from) => alertTransitions[from].includes(to))
}

/** A repeat of a request is known by its key, and told from another request by the digest of what was sent. */
export interface Idempotency {
  readonly key: string
  readonly digest: string
}

/** An alert as accepted, before the store has numbered it. */
export interface NewAlert {
  readonly uuid: AlertUuid
  readonly organization: OrganizationId
  readonly organizationCode: string
  /** As it was sent (specification 2.2: echo). */
  readonly provider: string
  /** `<org code>-<PROVIDER>`: the rendered prefix of the alert id, and the key of its counter. */
  readonly numberedAs: string
  /** As it was sent; null when absent: stored, and not investigated. */
  readonly type: string | null
  readonly content: string
  /** The content's title or rule name where it has one, else the type, else the provider. */
  readonly name: string
  /** Case-folded words of content, name, type and provider, each once; what free text search looks in. See `tokens.ts`. */
  readonly tokens: readonly string[]
  readonly createdAt: Millis
  readonly createdAtSource: Millis | null
  readonly createdBy: PrincipalId
  readonly idempotency: Idempotency | null
}

/** An alert as the store keeps it. What an investigation changes (from `status` on) is a projection of its run. */
export interface Alert extends Omit<NewAlert, 'tokens'> {
  /** Unique and rising for `numberedAs`. */
  readonly sequence: number
  /** `<org code>-<PROVIDER>-<sequence>` (specification 2.2). */
  readonly alertId: string
  readonly status: AlertStatus
  readonly retryCount: number
  readonly modifiedAt: Millis
  /** Name of the playbook of the latest run. */
  readonly investigator: string | null
  readonly case: CaseUuid | null
  readonly caseId: string | null
  readonly completedAt: Millis | null
  /** The alert that it repeats, and that is investigated in its stead. Null again once it is investigated by itself (a retry). */
  readonly duplicateOf: CaseAlert | null
}

/** The rendered prefix of an alert's id (specification 2.2: the provider code in upper case). */
export function alertPrefix(organizationCode: string, provider: string): string {
  return `${organizationCode}-${provider.toUpperCase()}`
}

/** What one type is, however it is written: the key of playbooks and queues. */
export function normaliseType(type: string): string {
  return type.normalize('NFKC').trim().toLowerCase()
}
