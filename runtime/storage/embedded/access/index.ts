/** Organizations, principals and their keys, providers, and small settings of the installation. */
export { organizationTable, providerTable } from './organizations.ts'
export { principalTable } from './principals.ts'
export { settingTable } from './settings.ts'
