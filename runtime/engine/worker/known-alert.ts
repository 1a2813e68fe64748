import { type Alert, AlertStatus, type AlertUnderWay, statusesBeforeClaim } from '../../domain/index.ts'
import type { Job } from '../../queue/index.ts'

/** An alert, as this process knows it before it claims the run. */
export interface KnownAlert extends AlertUnderWay {
  /** Null: this process is storing it. */
  readonly alert: Alert | null
}

export function knownAlert(found: Alert | AlertUnderWay): KnownAlert {
  if ('sent' in found) return { ...found, alert: null }
  return { sent: found, alert: found, stored: async () => found }
}

/** Returns whether the job is for the alert's next investigation, or for the one under way. */
export function isCurrent({ sent, alert }: KnownAlert, { attempt }: Job): boolean {
  if (sent.type === null) return false
  return alert ? alert.retryCount + 1 === attempt && alert.status < AlertStatus.completed : attempt === 1
}

/** Returns whether the alert shows no run yet. */
export function waitsForClaim({ alert }: KnownAlert): boolean {
  return !alert || statusesBeforeClaim.includes(alert.status)
}
