/**
 * What every store must do with organizations, principals and their keys, providers, and small settings of
 * the installation.
 */
export { organizationCases } from './organizations.ts'
export { principalCases } from './principals.ts'
