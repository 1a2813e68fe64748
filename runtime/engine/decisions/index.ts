/** Asks people, and takes their answers: approvals, writes in doubt, full quotas. The run sleeps until a person has answered. */
export { DecisionService } from './decision-service.ts'
