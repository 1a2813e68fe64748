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
 * Which status may follow which. Every store enforces this by compare-and-set.
 *
 * 0 -> 10 is legal: a worker may claim the alert before the store records that it was handed over. 15 and 20
 * go back to 5 only for a retry, which a person requests or Tocsin starts after an infrastructure fault. A
 * duplicate goes from 0 or 5 straight to 15 because it has no run. So may an alert whose run ends before the store
 * shows its claim: that is one write (decision 85).
 */
const alertTransitions: Readonly<Record<AlertStatus, readonly AlertStatus[]>> = {
  0: [5, 10],
  5: [10],
  10: [15, 20],
  15: [5],
  20: [5],
}

/** The investigation has ended. A retry can still follow. */
export const endedStatuses: readonly AlertStatus[] = [AlertStatus.completed, AlertStatus.failed]

/** No run has claimed the alert yet. From these statuses it can still become a duplicate. */
export const statusesBeforeClaim: readonly AlertStatus[] = [AlertStatus.created, AlertStatus.submitted]

/** Returns the statuses from which an alert may go to `to`. */
export function statusesBefore(to: AlertStatus): readonly AlertStatus[] {
  return Object.values(AlertStatus).filter((from) => alertTransitions[from].includes(to))
}

/**
 * The key identifies a repeated request. The digest of the content tells it from a different request with the
 * same key.
 */
export interface Idempotency {
  readonly key: string
  readonly digest: string
}

/** What is known of an accepted alert before the store has numbered it. It never changes. */
export interface SentAlert {
  readonly uuid: AlertUuid
  readonly organization: OrganizationId
  readonly organizationCode: string
  /** As sent (specification 2.2: echo). */
  readonly provider: string
  /** `<org code>-<PROVIDER>`: the prefix of the alert id, and the key of its counter. */
  readonly numberedAs: string
  /** As sent. Null if absent: the alert is stored but not investigated. */
  readonly type: string | null
  readonly content: string
  /** The content's title or rule name if it has one, else the alert type, else the provider. */
  readonly name: string
  readonly createdAt: Millis
  readonly createdAtSource: Millis | null
  readonly createdBy: PrincipalId
  readonly idempotency: Idempotency | null
}

/** An accepted alert, as it is given to the store. */
export interface NewAlert extends SentAlert {
  /** Distinct case-folded words of content, name, type and provider, for free text search. See `search-words.ts`. */
  readonly tokens: readonly string[]
}

/** An alert that this process is storing now. */
export interface AlertUnderWay {
  readonly sent: SentAlert
  /** Resolves with the alert when the store has numbered it. Null: it is not stored, or it repeats an earlier one. Never rejects. */
  stored(): Promise<Alert | null>
}

/** An alert in the store. The fields from `status` on follow from its runs. */
export interface Alert extends SentAlert {
  /** Unique within `numberedAs`, and rising. */
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
  /**
   * The alert that this one repeats and that is investigated instead. Null again if a retry investigates this
   * alert itself.
   */
  readonly duplicateOf: CaseAlert | null
}

/** Returns the prefix of an alert's id (specification 2.2: the provider code in upper case). */
export function alertPrefix(organizationCode: string, provider: string): string {
  return `${organizationCode}-${provider.toUpperCase()}`
}

/** Normalises an alert type. The result is the key of playbooks and queues. */
export function normaliseType(type: string): string {
  return type.normalize('NFKC').trim().toLowerCase()
}
