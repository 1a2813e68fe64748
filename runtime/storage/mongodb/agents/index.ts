/** Remote agents: their enrolment tokens, public keys and revocations. */
export { agentStore } from './agents.ts'
