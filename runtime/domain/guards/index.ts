/** What keeps runs from acting: pauses, and each organization's policy with its quotas and protected entities. */
export * from './pause.ts'
export * from './policy.ts'
export * from './quota.ts'
