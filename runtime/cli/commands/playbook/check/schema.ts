import type { Command } from 'commander'
import type { Json } from '../../../../domain/index.ts'
import { messageOf } from '../../../../errors/index.ts'
import { editorSchema, integrationsOf, namesIn } from '../../../../playbook/authoring/index.ts'
import type { PlaybookFile } from '../../../../playbook/index.ts'
import { parseYaml } from '../../../../yaml/index.ts'
import { writeOutput } from '../../../files.ts'
import { json as jsonText } from '../../../print.ts'
import { type OfflineOptions, offlineCommand, offlineFolders, offlinePlugins, readPlaybooks } from '../offline.ts'

/** Adds `tocsin playbook schema`. */
export function schemaCommand(playbook: Command): void {
  offlineCommand(
    playbook,
    'schema',
    'Write the JSON Schema that editors use to complete playbooks. It knows your plugins, sub-playbooks, steps and slots.',
  )
    .option('-o, --output <file>', 'where to write it (default: standard output)')
    .action(async ({ output, ...options }: OfflineOptions & { readonly output?: string }) => {
      const folders = offlineFolders(options)
      const files = await readPlaybooks([], folders)
      const schema = editorSchema({
        integrations: integrationsOf([...(await offlinePlugins(folders)).values()]),
        ...namesIn(files.flatMap(documentOf)),
      })
      const text = `${jsonText(schema)}\n`
      if (output === undefined) process.stdout.write(text)
      else writeOutput(output, text)
    })
}

/** Parses a playbook. Skips one that is not YAML, because somebody may be editing it. */
function documentOf({ file, text }: PlaybookFile): readonly Json[] {
  try {
    return [parseYaml(text, file).value]
  } catch (error) {
    console.error(`Skipped ${file}: ${messageOf(error)}`)
    return []
  }
}
