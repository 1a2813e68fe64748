import type { Failure } from '../../domain/index.ts'
import type { ErrorCode } from '../../errors/index.ts'

/**
 * Codes of failures of what the run depends on. Faults of the playbook, the alert or the credentials are not
 * included.
 */
const codes: ReadonlySet<string> = new Set<ErrorCode>([
  'network',
  'agent_offline',
  'agent_busy',
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
 * Returns whether a run failed because of an infrastructure fault, which a later attempt may not meet: of the
 * external system, the network, the process of the isolates, the vault, or a defect of ours. A failed join
 * counts if each of its failed branches does.
 */
export function isInfrastructureFault({ code, vendor, causes }: Failure): boolean {
  if (causes) return causes.length > 0 && causes.every(isInfrastructureFault)
  const status = vendor?.['status']
  return codes.has(code) || (typeof status === 'number' && (status >= 500 || status === 429))
}
