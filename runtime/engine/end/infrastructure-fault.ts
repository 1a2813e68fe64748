import type { Failure } from '../../domain/index.ts'
import type { ErrorCode } from '../../errors/index.ts'

/** Codes that say that what the run depends on did not work, and not that the playbook, the alert or the credentials are wrong. */
const codes: ReadonlySet<string> = new Set<ErrorCode>([
  'network',
  'call_timeout',
  'rate_limited',
  'vendor_unavailable',
  'send_too_late',
  'handler_died',
  'secret_unreadable',
  'journal_mismatch',
  'investigation_failed',
])

/**
 * Whether a run failed for a fault of the infrastructure, which a later attempt may not meet: the external system or the way to it, the
 * process of the isolates, the vault, a defect of ours. A join failed so when each branch did that failed.
 */
export function isInfrastructureFault({ code, vendor, causes }: Failure): boolean {
  if (causes) return causes.length > 0 && causes.every(isInfrastructureFault)
  const status = vendor?.['status']
  return codes.has(code) || (typeof status === 'number' && (status >= 500 || status === 429))
}
