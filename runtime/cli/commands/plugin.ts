import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { Command } from 'commander'
import { isTocsinError, messageOf, TocsinError } from '../../errors/index.ts'
import { loadPluginFolder } from '../../plugin/index.ts'
import { blankPlugin, draftFromOpenApi, writePlugin } from '../../plugin/scaffold/index.ts'
import { fixtureFaults } from '../../rehearsal/index.ts'
import type { Answer } from '../client.ts'
import { explainFailure } from '../failure.ts'
import { linesText, plain } from '../print.ts'
import { remoteCommand, type Shared, showList } from '../remote-command.ts'

export function pluginCommand(program: Command): void {
  const plugin = program.command('plugin').description('Begin and check plugin folders, and list the loaded plugins.')
  newCommand(plugin)
  plugin
    .command('check <folders...>')
    .alias('lint')
    .description('Check plugin folders offline. Each mistake has its file, line and column.')
    .action(checkFolders)
  remoteCommand(plugin, 'list', 'List the loaded plugins.').action((options: Shared) => {
    const columns = { ID: (item: Answer) => item['id'], NAME: (item: Answer) => item['name'], VERSION: (item: Answer) => item['version'] }
    return showList(options, '/platformapi/integrations', columns, Number.POSITIVE_INFINITY)
  })
}

/** Checks every folder, and says of each what it is. One that is invalid does not hide what is wrong with the next. */
async function checkFolders(folders: readonly string[]): Promise<void> {
  const invalid: string[] = []
  for (const folder of folders) {
    try {
      const plugin = await loadPluginFolder(folder)
      const { id, skills } = plugin
      const faults = fixtureFaults(folder, plugin)
      if (faults.length > 0) throw new TocsinError('fixture_invalid', `${id} has fixtures with mistakes.`, faults)
      console.log(`${folder}: ${id} is valid (${skills.size} ${skills.size === 1 ? 'skill' : 'skills'})`)
    } catch (error) {
      if (!isTocsinError(error)) throw error
      console.error(explainFailure(error))
      invalid.push(folder)
    }
  }
  if (invalid.length === 0) return
  process.exitCode = 1
  if (folders.length > 1)
    console.error(
      plain(`${invalid.length} of ${folders.length} plugin folders ${invalid.length === 1 ? 'is' : 'are'} invalid: ${invalid.join(', ')}`),
    )
}

interface NewOptions {
  readonly openapi?: string
  readonly operations?: string
}

function newCommand(plugin: Command): void {
  plugin
    .command('new <folder>')
    .description('Begin a plugin: an example, or a skill for each operation of an OpenAPI document.')
    .option('--openapi <file>', 'an OpenAPI document 3.0 or 3.1, as JSON or YAML')
    .option('--operations <list>', 'only these operations, separated by commas: their operationId, or `get /users`')
    .action(async (folder: string, { openapi, operations }: NewOptions) => {
      const id = basename(resolve(folder))
      if (!/^[a-z][a-z0-9_]{0,63}$/.test(id))
        throw new TocsinError('file_unwritable', `The folder's name is the id of the plugin, and ${id} cannot be one.`, [], {
          remedy: 'Use lower-case letters, digits and `_`, beginning with a letter, at most 64.',
        })
      if (openapi === undefined && operations !== undefined)
        throw new TocsinError('openapi_invalid', '--operations chooses from a document.', [], { remedy: 'Add --openapi <file>.' })
      const wanted = operations?.split(',').filter((name) => name.trim() !== '') ?? null
      const drafted = openapi === undefined ? { files: blankPlugin(id), notes: [] } : draftFromOpenApi(id, await textOf(openapi), openapi, wanted)
      const { skills } = await writePlugin(folder, drafted.files)
      console.log(`${folder}: ${id} has ${skills.size} ${skills.size === 1 ? 'skill' : 'skills'}, and is valid`)
      // They name operations as the document does, which may be somebody else's.
      if (drafted.notes.length > 0) console.log(linesText(drafted.notes.map((note) => `- ${plain(note)}`)))
    })
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new TocsinError('file_unreadable', `${file}: ${messageOf(error)}`, [], { cause: error })
  }
}
