/**
 * From a folder of files to a plugin. `load.ts` reads the folder. `compile.ts` and the files beside
 * it check the manifest and the skills, and compile their templates and schemas. All faults are
 * reported at once, each with file, line and column.
 */
export { codesOfPlugin } from './codes.ts'
export type * from './error-row.ts'
export { loadPluginFolder, loadPluginFolders, pluginFolders } from './load.ts'
export { roleIncludes, rolesOf } from './roles.ts'
export { KeptPlugins, type SentPlugin, sentPlugins } from './sent.ts'
