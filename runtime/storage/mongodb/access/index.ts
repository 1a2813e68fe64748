/** Organizations, principals and their keys, providers, and small settings of the installation. */
export { organizationStore } from './organizations.ts'
export { principalStore } from './principals.ts'
export { providerStore } from './providers.ts'
export { settingStore } from './settings.ts'
