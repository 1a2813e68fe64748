/** Rules about calls: their connections, approvals, limits and failures. */
export { approvals } from './approvals.ts'
export { budget } from './budget.ts'
export { connections } from './connections.ts'
export { failures } from './failures.ts'
export { limits } from './limits.ts'
export { polling } from './polling.ts'
