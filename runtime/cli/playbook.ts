import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { readConfig } from '../config/index.ts'
import { messageOf, TocsinError } from '../errors/index.ts'
import { compilePlaybook, skillLookup } from '../playbook/index.ts'
import { loadPluginFolders } from '../plugin/index.ts'
import type { Answer } from './client.ts'
import { remoteCommand, type Shared, showList } from './command.ts'
import { impactCommand } from './playbook/impact.ts'
import { time } from './print.ts'

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new TocsinError('file_unreadable', messageOf(error))
  }
}

/** Compiles playbooks as an import would, without a store. @throws TocsinError `playbook_invalid` with every place */
async function check(files: readonly string[], options: { readonly plugins?: string }): Promise<void> {
  const { plugins } = readConfig(process.env, options.plugins === undefined ? {} : { plugins: options.plugins })
  const lookup = skillLookup(new Map((await loadPluginFolders(plugins)).map((plugin) => [plugin.id, plugin])))
  for (const file of files) {
    const plan = compilePlaybook(read(file), file, lookup)
    console.log(`${file}: ${plan.name} is good (${plan.types.join(', ')})`)
  }
}

export function playbookCommand(program: Command): void {
  const playbook = program.command('playbook').description('Check playbooks, and see which are active.')
  playbook
    .command('check <files...>')
    .description('Check playbook files offline; every mistake is named with its line and column.')
    .option('--plugins <folders>', 'folders of plugins, separated by commas (TOCSIN_PLUGINS)')
    .action(check)
  impactCommand(playbook)
  remoteCommand(playbook, 'list', 'List the active playbooks.').action((options: Shared) => {
    const columns = {
      'ALERT TYPE': (item: Answer) => item['alert_type'],
      PLAYBOOK: (item: Answer) => item['name'],
      ORGANIZATION: (item: Answer) => item['organization_code'] ?? '(all)',
      SOURCE: (item: Answer) => item['source'],
      ACTIVATED: (item: Answer) => time(item['activated_at']),
    }
    return showList(options, '/platformapi/playbooks', columns, Number.POSITIVE_INFINITY)
  })
}
