/**
 * What may keep a call from being sent: a protected target, the organization's policy, a quota, the impact
 * budget, an end time, the run's limits, a cancellation.
 */
export { protectedAt } from './protection.ts'
