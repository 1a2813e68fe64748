import {
  type AlertUuid,
  type Case,
  type CaseAlert,
  type CaseMarks,
  type CaseOpening,
  type CaseUuid,
  type Millis,
  noMarks,
  type OrganizationId,
  type RunId,
} from '../../../domain/index.ts'
import { type RecentEntry, storedEntry } from './timeline-documents.ts'

export interface CaseDocument extends Omit<Case, 'uuid' | 'marks'> {
  readonly _id: CaseUuid
  /** Absent while there are none. */
  readonly marks?: CaseMarks
  /** Present while somebody has to look at it. */
  readonly attention?: true
  /** Rises with every change of a field or a mark; absent: there was none. */
  readonly revision?: number
  /** The alerts that it is for; the index on them is unique, so that an alert is in one case only. One by itself where none can join. */
  readonly alert: AlertUuid | readonly AlertUuid[]
  /** The key by which other alerts may join it. */
  readonly joinKey?: string
  /** Present while it is the one of its key that is joined. */
  readonly joinable?: true
  /** Present until webhooks are told that it was opened. */
  readonly told?: false
  /**
   * Timeline entries that came with a change of the case: entry and change are one write. They move to documents of their own
   * when they become many.
   */
  readonly recent: readonly RecentEntry[]
}

/** What is shown of a case; the timeline is read by itself. */
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
  createdAt: 1,
  modifiedAt: 1,
} as const

export function toCase(document: CaseDocument): Case {
  const { _id, alert: _a, joinKey: _k, joinable: _j, told: _t, recent: _r, attention: _n, revision: _v, marks = noMarks, ...rest } = document
  return { uuid: _id, ...rest, marks }
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
  /** Whether webhooks are told of it. */
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
