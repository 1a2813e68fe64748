import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadPluginFolder, pluginFolders } from './load.ts'
import { renderReadme } from './readme.ts'

/** Writes plugins/<id>/README.md; a test holds them equal to what the manifest and the skills say. */
for (const folder of await pluginFolders(['plugins'])) writeFileSync(join(folder, 'README.md'), renderReadme(await loadPluginFolder(folder)))
