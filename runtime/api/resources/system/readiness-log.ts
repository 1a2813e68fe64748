import type { Logger } from 'pino'
import type { ReadyCheck } from '../../services.ts'

/**
 * Logs when this process stops to be ready, and when it is ready again. Whatever asks `GET /readyz` does so every few seconds, so one line for each
 * answer would hide all others. Call what it returns with each outcome.
 */
export function readinessLog(logger: Logger): (checks: readonly ReadyCheck[]) => void {
  let missing = ''
  return (checks) => {
    const failed = checks.filter(({ ok }) => !ok)
    const now = failed.map(({ name }) => name).join(', ')
    if (now === missing) return
    missing = now
    if (now === '') return logger.info('ready again')
    const error = failed.flatMap(({ cause, why }) => cause ?? why ?? []).join(' ')
    logger.warn({ missing: now, ...(error !== '' && { error }) }, 'not ready: /readyz answers 503')
  }
}
