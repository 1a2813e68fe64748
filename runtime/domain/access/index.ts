/**
 * Who uses the installation: organizations, and the principals (people, scripts, alert sources) with their keys and permissions.
 * Also the scope of a caller: the organizations that it may see.
 */
export * from './organization.ts'
export * from './principal.ts'
export * from './scope.ts'
