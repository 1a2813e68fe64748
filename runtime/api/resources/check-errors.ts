/** What a text that costs too much to check is answered with, and any text while too many wait to be checked. */
export const checkErrors = ['check_timeout', 'check_memory', 'check_died', 'overloaded'] as const
