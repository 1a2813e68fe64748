import { type Command, Option } from 'commander'
import { TocsinError } from '../../../errors/index.ts'
import { type Answer, findTarget, listAll, type Target } from '../../client.ts'
import { json as jsonText, table } from '../../print.ts'
import { remoteCommand, type Shared } from '../../remote-command.ts'

interface ListOptions extends Shared {
  readonly impact?: string
  readonly category?: string
  readonly search?: string
}

/** Returns the integrations whose skills are listed: the named one, or all. @throws TocsinError `integration_unknown` */
async function integrationsOf(target: Target, named: string | undefined): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { id } of listAll(target, '/platformapi/integrations')) ids.push(String(id))
  if (named === undefined) return ids
  if (ids.includes(named)) return [named]
  throw new TocsinError('integration_unknown', `No loaded plugin is called "${named}". These are loaded: ${ids.join(', ')}.`)
}

function matches(skill: Answer, { impact, category, search }: ListOptions): boolean {
  if (impact !== undefined && skill['impact'] !== impact) return false
  if (category !== undefined && skill['category'] !== category) return false
  const text = `${String(skill['id'])} ${String(skill['title'])} ${String(skill['purpose'])}`.toLowerCase()
  return search === undefined || text.includes(search.toLowerCase())
}

async function list(integration: string | undefined, options: ListOptions): Promise<void> {
  const target = findTarget(options)
  const found: Answer[] = []
  for (const id of await integrationsOf(target, integration)) {
    for await (const skill of listAll(target, `/platformapi/integrations/${encodeURIComponent(id)}/skills`))
      if (matches(skill, options)) found.push(skill)
  }
  if (options.json) return console.log(jsonText(found))
  const rows = found.map((skill) => [skill['id'], skill['impact'], skill['minimum_role'] ?? '', skill['category'], skill['title']])
  console.log(table(['SKILL', 'IMPACT', 'ROLE', 'CATEGORY', 'TITLE'], rows))
}

export function listCommand(skill: Command): void {
  remoteCommand(
    skill,
    'list [integration]',
    'List the skills of the loaded plugins. The JSON output has their inputs, outputs, warnings and an example, too.',
  )
    .addOption(new Option('--impact <impact>', 'only skills of this impact').choices(['read', 'write', 'high']))
    .option('--category <category>', 'only skills of this category, such as containment')
    .option('--search <text>', 'only skills with this text in their name, title or purpose')
    .action(list)
}
