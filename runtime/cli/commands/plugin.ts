import type { Command } from 'commander'
import { loadPluginFolder } from '../../plugin/index.ts'
import type { Answer } from '../client.ts'
import { remoteCommand, type Shared, showList } from '../remote-command.ts'

export function pluginCommand(program: Command): void {
  const plugin = program.command('plugin').description('Check plugin folders, and list the loaded plugins.')
  plugin
    .command('check <folders...>')
    .alias('lint')
    .description('Check plugin folders offline. Each mistake has its file, line and column.')
    .action(async (folders: readonly string[]) => {
      for (const folder of folders) {
        const { id, skills } = await loadPluginFolder(folder)
        console.log(`${folder}: ${id} is valid (${skills.size} ${skills.size === 1 ? 'skill' : 'skills'})`)
      }
    })
  remoteCommand(plugin, 'list', 'List the loaded plugins.').action((options: Shared) => {
    const columns = { ID: (item: Answer) => item['id'], NAME: (item: Answer) => item['name'], VERSION: (item: Answer) => item['version'] }
    return showList(options, '/platformapi/integrations', columns, Number.POSITIVE_INFINITY)
  })
}
