/** Remote agents: their enrolment tokens, public keys and revocations. */
export { agentTable } from './agents.ts'
