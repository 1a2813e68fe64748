/** The checks of texts that tenants send, done in processes of their own (docs/decisions/0034). */
export { type Checks, createChecks } from './checks.ts'
