export { type Config, type Flags, type Folders, type ProcessName, readConfig, readFolders } from './read.ts'
export { systemClock, systemIds } from './seams.ts'
export { type SettingName, settings } from './settings.ts'
export { version } from './version.ts'
