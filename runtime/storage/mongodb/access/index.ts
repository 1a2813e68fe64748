/** Organizations, principals and their keys, the audit log, providers, and small settings of the installation. */
export { actStore } from './acts.ts'
export { organizationStore } from './organizations.ts'
export { principalStore } from './principals.ts'
export { providerStore } from './providers.ts'
export { settingStore } from './settings.ts'
