/** The words of the vendor's public reference. */
export const approvalStatuses = ['UNDER_REVIEW', 'APPROVED', 'NOT_APPROVED'] as const
export const sensitivityLevels = ['HIGH', 'MEDIUM', 'LOW'] as const
export const severities = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const
export const detectionTypes = ['PHISHING', 'STOLEN_CREDENTIALS', 'BLOCKED_URL', 'MALWARE_DELIVERY'] as const
export const booleans = ['true', 'false'] as const

/** The levels of a key. */
export const levels = ['read_only', 'full_access'] as const
export type Level = (typeof levels)[number]
