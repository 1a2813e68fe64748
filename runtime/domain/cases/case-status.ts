/** The statuses of a case. */
export const caseStatuses = ['new', 'in_progress', 'analyst_pending', 'customer_pending', 'contained', 'closed'] as const
export type CaseStatus = (typeof caseStatuses)[number]
