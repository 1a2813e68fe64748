/** Checks the texts that tenants send, in separate processes (docs/decisions/0034). */
export { type Checks, createChecks } from './checks.ts'
