/**
 * Reads the settings of a process from flags and environment variables, and checks them. Also makes
 * the real clock and the real source of ids. `settings.ts` lists every setting.
 */
export { type Config, type Flags, type Folders, type ProcessName, readConfig, readFolders } from './read.ts'
export { systemClock, systemIds } from './seams.ts'
export { type SettingName, settings } from './settings.ts'
export { certificates } from './values.ts'
export { version } from './version.ts'
