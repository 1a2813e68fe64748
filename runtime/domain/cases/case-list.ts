import type { CaseUuid } from '../ids.ts'
import type { Millis } from '../seams.ts'
import { type Case, severities } from './case.ts'

/** How a list of cases is sorted. With a minus: newest, latest changed or most severe first. */
export const caseSorts = ['-created_at', 'created_at', '-modified_at', 'modified_at', '-severity', 'severity'] as const
export type CaseSort = (typeof caseSorts)[number]

/** The position of a case in a sorted list. Cases with the same key are sorted by UUID, in the same direction. */
export interface CasePosition {
  readonly key: number
  readonly uuid: CaseUuid
}

/** More than any creation time. So one number holds severity and creation time, and sorts by both. */
export const severityStep: Millis = 2 ** 43

/** Returns where a case stands in a list with this order. Cases with the same key are ordered by their uuid. */
export function casePosition(found: Pick<Case, 'uuid' | 'severity' | 'createdAt' | 'modifiedAt'>, sort: CaseSort): CasePosition {
  const { uuid, severity, createdAt, modifiedAt } = found
  if (sort.endsWith('severity')) return { key: severities.indexOf(severity) * severityStep + createdAt, uuid }
  return { key: sort.endsWith('modified_at') ? modifiedAt : createdAt, uuid }
}
