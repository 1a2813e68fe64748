/**
 * What every store must do with organizations, principals and their keys, the audit log, providers, and small
 * settings of the installation.
 */
export { actCases } from './acts.ts'
export { organizationCases } from './organizations.ts'
export { principalCases } from './principals.ts'
