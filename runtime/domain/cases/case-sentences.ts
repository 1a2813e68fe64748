import { attemptIn } from '../ids.ts'
import type { CaseUndo, DoubtfulRun, FailedAttempt } from './case-marks.ts'

function writes(count: number): string {
  return count === 1 ? '1 write' : `${count} writes`
}

/** Says why an attempt failed: `Attempt 1 for alert ACME-EDR-7 failed at known/user: network: No route.` */
export function failedSentence({
  alertId,
  attempt,
  step,
  code,
  message,
}: Pick<FailedAttempt, 'alertId' | 'attempt' | 'step' | 'code' | 'message'>): string {
  const what = `Attempt ${attempt} for alert ${alertId}`
  return code === 'run_cancelled' ? `${what}: ${message}` : `${what} failed${step === null ? '' : ` at ${step}`}: ${code}: ${message}`
}

/** Says how many writes of which attempt are in doubt. */
export function doubtSentence({ run, writes: count }: DoubtfulRun): string {
  return `${writes(count)} of attempt ${attemptIn(run)} ${count === 1 ? 'is' : 'are'} in doubt: nobody knows whether ${count === 1 ? 'it' : 'they'} happened.`
}

/** Says who is undoing or has undone which attempt, and how far the undo got. Leaves out the reason. */
export function undoSentence({ by, undoes, state, undone, standing, inDoubt }: CaseUndo): string {
  const stand = standing === 0 ? [] : [`${writes(standing)} ${standing === 1 ? 'is' : 'are'} still in effect`]
  const lost = inDoubt === 0 ? [] : [`${writes(inDoubt)} ${inDoubt === 1 ? 'is' : 'are'} in doubt`]
  const back = undone === 0 ? 'no write was undone' : `${writes(undone)} ${undone === 1 ? 'was' : 'were'} undone`
  const attempt = `attempt ${attemptIn(undoes)}`
  switch (state) {
    case 'under_way':
      return `${by} is undoing ${attempt}: its writes may be undone at any moment.`
    case 'undone':
      return `${by} undid ${attempt}: ${back}, and none of its writes is still in effect.`
    case 'nothing':
      return `${by} tried to undo ${attempt}: ${[back, ...stand].join(', ')}.`
    default:
      return `${by} undid part of ${attempt}: ${[back, ...stand, ...lost].join(', ')}.`
  }
}
