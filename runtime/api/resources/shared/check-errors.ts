/** Errors for a text that is too expensive to check, or when too many texts wait to be checked. */
export const checkErrors = ['check_timeout', 'check_memory', 'check_died', 'overloaded'] as const
