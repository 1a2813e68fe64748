import { AlertStatus, type Millis, statusesBefore } from '../../../domain/index.ts'
import type { AlertDocument } from '../alerts/alert-documents.ts'
import type { Assign } from '../client/index.ts'
import type { RunCase, RunDocument } from './run-documents.ts'

/**
 * Sets the alert to 10, with investigator and case. Also corrects an alert that a crash left at 10 with
 * another case.
 */
export async function projectClaim(
  { assignAlert }: { readonly assignAlert: Assign<AlertDocument> },
  run: RunDocument,
  theCase: RunCase,
  at: Millis,
): Promise<void> {
  await assignAlert({
    id: run.alert,
    when: { status: { $in: statusesUntilEnd }, retryCount: run.attempt - 1 },
    set: { status: AlertStatus.inProgress, modifiedAt: at, completedAt: null, ...shownOf(run, theCase) },
    unset: 'waitingSince',
  })
}

/** The statuses of an alert until its investigation has ended. */
export const statusesUntilEnd = [...statusesBefore(AlertStatus.inProgress), AlertStatus.inProgress]

/** Returns what an alert shows of the run that has claimed it. */
export function shownOf({ pins }: RunDocument, { uuid, caseId }: RunCase): Pick<AlertDocument, 'investigator' | 'case' | 'caseId'> {
  return { investigator: pins.playbook.name, case: uuid, caseId }
}
