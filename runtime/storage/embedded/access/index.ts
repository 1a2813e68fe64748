/** Organizations, principals and their keys, the audit log, providers, and small settings of the installation. */
export { actTable } from './acts.ts'
export { organizationTable, providerTable } from './organizations.ts'
export { principalTable } from './principals.ts'
export { settingTable } from './settings.ts'
