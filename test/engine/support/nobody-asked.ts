import { defaultPolicy, type PinnedPolicy, pinnedPolicy } from '../../../runtime/domain/index.ts'

/** A policy that asks nobody before a call. */
export const nobodyAsked: PinnedPolicy = { ...pinnedPolicy(null), approvals: { ...defaultPolicy.approvals, high: 'none' } }
