/**
 * The outcome of an alert, for statistics. `open`: its investigation has not ended. `duplicate`: it repeats
 * another alert. `stored`: it has no type and is not investigated.
 */
export const alertOutcomes = ['open', 'completed', 'failed', 'duplicate', 'stored'] as const
export type AlertOutcome = (typeof alertOutcomes)[number]
