/**
 * Who uses the installation: organizations, and principals (people, scripts, alert sources) with their API
 * keys and permissions. Also a caller's scope: the organizations that it may see.
 */
export * from './organization.ts'
export * from './principal.ts'
export * from './scope.ts'
