import type { CaseView } from '../../runtime/api/index.ts'

export const statuses: readonly CaseView['status'][] = ['new', 'in_progress', 'analyst_pending', 'customer_pending', 'contained', 'closed']
export const severities: readonly CaseView['severity'][] = ['critical', 'high', 'medium', 'low', 'informational', 'unassigned']
export const dispositions: readonly CaseView['disposition'][] = ['pending', 'no_threat_found', 'non_malicious_positive', 'malicious']
