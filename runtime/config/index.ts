export { type Backends, type Config, type Flags, type Folders, type ProcessName, readConfig, readFolders } from './read.ts'
export { systemClock, systemIds } from './seams.ts'
export { type Setting, type SettingName, settings } from './settings.ts'
export { version } from './version.ts'
