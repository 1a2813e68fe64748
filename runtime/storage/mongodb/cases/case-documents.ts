import {
  type AlertUuid,
  type Case,
  type CaseAlert,
  type CaseDesk,
  type CaseMarks,
  type CaseOpening,
  type CaseUuid,
  emptyDesk,
  type Millis,
  noMarks,
  type OrganizationId,
  type RunId,
} from '../../../domain/index.ts'
import { type RecentEntry, storedEntry } from './timeline-documents.ts'

export interface CaseDocument extends Omit<Case, 'uuid' | 'marks' | 'desk'> {
  readonly _id: CaseUuid
  /** Absent if there are none. */
  readonly marks?: CaseMarks
  /** Absent while it is empty. */
  readonly desk?: CaseDesk
  /** Set while the case needs attention. */
  readonly attention?: true
  /** Increases with every change of a field or a mark. Absent before the first change. */
  readonly revision?: number
  /** The place of the segment that has the case (`CaseSegmentDocument`). The segment knows what the case says now if it is `known`. */
  readonly sealed?: number
  /**
   * The alerts of the case. The index on this field is unique, so an alert is in one case only. A single
   * value if no other alert can join.
   */
  readonly alert: AlertUuid | readonly AlertUuid[]
  /** The key with which other alerts may join the case. */
  readonly joinKey?: string
  /** Set on at most one case of a key. While it is set, no other case of the key can be opened. */
  readonly joinable?: true
  /** Set when the case is opened. Removed once its webhook event is written. */
  readonly told?: false
  /**
   * Timeline entries that came with a change of the case: entry and change are one write. When there are
   * many, they move to documents of their own.
   */
  readonly recent: readonly RecentEntry[]
}

/** The fields of a case that callers see. The timeline is read separately. */
export const caseFields = {
  organization: 1,
  number: 1,
  caseId: 1,
  alerts: 1,
  title: 1,
  severity: 1,
  status: 1,
  disposition: 1,
  assignee: 1,
  summary: 1,
  marks: 1,
  desk: 1,
  createdAt: 1,
  modifiedAt: 1,
} as const

export function toCase({
  _id,
  alert: _a,
  joinKey: _k,
  joinable: _j,
  told: _t,
  recent: _r,
  attention: _n,
  revision: _v,
  sealed: _s,
  marks = noMarks,
  desk = emptyDesk,
  ...rest
}: CaseDocument): Case {
  return { uuid: _id, ...rest, marks, desk }
}

export interface NewCase {
  readonly organization: OrganizationId
  readonly number: number
  readonly caseId: string
  readonly alert: CaseAlert
  readonly run: RunId
  readonly opening: CaseOpening
  readonly at: Millis
  readonly written: number
  /** Whether a webhook wants to be told. */
  readonly announced: boolean
}

export function caseDocument({ organization, number, caseId, alert, run, opening, at, written, announced }: NewCase): CaseDocument {
  const opened = { kind: 'opened', text: `Case opened for alert ${alert.alertId}` } as const
  const key = `${run}#opened`
  return {
    _id: opening.uuid,
    organization,
    number,
    caseId,
    ...(opening.join ? { alert: [alert.alertUuid], joinKey: opening.join.key, joinable: true } : { alert: alert.alertUuid }),
    alerts: [alert],
    title: opening.title,
    severity: opening.severity,
    status: 'new',
    disposition: 'pending',
    assignee: null,
    summary: null,
    createdAt: at,
    modifiedAt: at,
    ...(announced && { told: false }),
    recent: [{ key, ...storedEntry({ key, at, actor: { run, step: '' }, body: opened }, written) }],
  }
}
