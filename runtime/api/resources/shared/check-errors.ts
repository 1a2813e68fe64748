/** Error codes for a text that is too expensive to check, and for too many texts that wait to be checked. */
export const checkErrors = ['check_timeout', 'check_memory', 'check_died', 'overloaded'] as const
