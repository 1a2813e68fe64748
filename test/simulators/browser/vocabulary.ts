/** The words of the vendor's public reference. Of `responses` only these four are known. */
export const approvalStatuses = ['UNDER_REVIEW', 'APPROVED', 'NOT_APPROVED'] as const
export const sensitivityLevels = ['HIGH', 'MEDIUM', 'LOW'] as const
export const severities = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const
export const detectionTypes = ['PHISHING', 'STOLEN_CREDENTIALS', 'BLOCKED_URL', 'MALWARE_DELIVERY'] as const
export const responses = ['EMPLOYEE_WARNED', 'EMPLOYEE_IGNORED_WARNING', 'BLOCKED', 'NOT_BLOCKED'] as const
export const booleans = ['true', 'false'] as const
export const findingTypes = [
  'MFA_NOT_REGISTERED',
  'REUSED_PASSWORD',
  'SHARED_ACCOUNT',
  'UNUSED_THIRD_PARTY_APP',
  'WEAK_PASSWORD',
  'LEAKED_PASSWORD',
  'PASSWORD_MANAGER_NOT_USED',
  'STOLEN_CREDENTIALS',
] as const

/** Levels of a key. */
export const levels = ['read_only', 'full_access'] as const
export type Level = (typeof levels)[number]
