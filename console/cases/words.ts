import type { CaseView } from '../../runtime/api/index.ts'
import { caseWords } from '../shared/badges.tsx'

export const statuses: readonly CaseView['status'][] = ['new', 'in_progress', 'analyst_pending', 'customer_pending', 'contained', 'closed']
export const severities: readonly CaseView['severity'][] = ['critical', 'high', 'medium', 'low', 'informational', 'unassigned']
export const dispositions: readonly CaseView['disposition'][] = ['pending', 'no_threat_found', 'non_malicious_positive', 'malicious']

/** Returns the word for a value of a field of a case, as the fields show it. */
export function wordFor(field: string, value: unknown): string {
  if (value === null || value === undefined) return 'nobody'
  if (field === 'status' && isOneOf(statuses, value)) return caseWords.status(value)
  if (field === 'severity' && isOneOf(severities, value)) return caseWords.severity(value)
  if (field === 'disposition' && isOneOf(dispositions, value)) return caseWords.disposition(value)
  return String(value)
}

function isOneOf<Word extends string>(words: readonly Word[], value: unknown): value is Word {
  return (words as readonly unknown[]).includes(value)
}
