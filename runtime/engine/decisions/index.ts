/**
 * Asks people, and takes their answers: approvals, writes in doubt, used-up quotas. The run sleeps until a
 * person has answered.
 */
export { DecisionService } from './decision-service.ts'
export { makersOf } from './makers.ts'
