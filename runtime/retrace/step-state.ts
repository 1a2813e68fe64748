export const stepStates = ['done', 'failed', 'skipped', 'waiting', 'under_way', 'in_doubt', 'interrupted'] as const

/** `in_doubt`: a write was sent, and nobody knows whether it happened. `interrupted`: the run ended before the step did. */
export type StepState = (typeof stepStates)[number]
