/**
 * Who uses the installation: organizations, and principals (people, scripts, alert sources) with their API
 * keys and permissions. Also a caller's scope: the organizations that it may see. And the audit log: what they did.
 */
export * from './act.ts'
export * from './makers.ts'
export * from './organization.ts'
export * from './principal.ts'
export * from './scope.ts'
