import { type Alert, AlertStatus, type Run } from '../../domain/index.ts'
import type { RunEnd } from '../../storage/index.ts'

/** Returns an alert as the store shows it after its run has ended. So whoever waits for it need not read it again. */
export function endedAlert(alert: Alert, { pins, case: ofCase, caseId }: Run, { state, at }: Pick<RunEnd, 'state' | 'at'>): Alert {
  return {
    ...alert,
    status: state === 'completed' ? AlertStatus.completed : AlertStatus.failed,
    modifiedAt: at,
    completedAt: at,
    investigator: pins.playbook.name,
    case: ofCase,
    caseId,
  }
}
