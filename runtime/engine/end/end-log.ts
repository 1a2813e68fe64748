import type { Logger } from 'pino'
import type { Alert, Millis, Run } from '../../domain/index.ts'
import type { ErrorCode } from '../../errors/index.ts'
import type { RunOutcome } from './run-outcome.ts'

const died: ErrorCode = 'process_died'

/** Logs each run that failed or was cancelled, for operators who only watch the log. */
export function logEnd(logger: Logger, run: Run, alert: Alert, { state, failure, retryAt }: RunOutcome & { readonly retryAt: Millis | null }): void {
  if (state === 'completed') return
  const { code = 'run_stopped', message = '', step = null } = failure ?? {}
  const where = { organization: alert.organizationCode, alert: alert.alertId, case: run.caseId, run: run.id, attempt: run.attempt }
  const what = run.undo ? 'an undo has failed' : code === 'run_cancelled' ? 'an investigation was cancelled' : 'an investigation has failed'
  const level = code === died ? 'error' : 'warn'
  logger[level]({ ...where, playbook: run.pins.playbook.name, step, code, message, ...(retryAt !== null && { retry_at: retryAt }) }, what)
}
