import type { Command } from 'commander'
import type { Answer } from './client.ts'
import { remoteCommand, type Shared, showList } from './command.ts'
import { dryRunCommand } from './playbook/dry-run.ts'
import { impactCommand } from './playbook/impact.ts'
import { lintCommand } from './playbook/lint.ts'
import { schemaCommand } from './playbook/schema.ts'
import { testCommand } from './playbook/test.ts'
import { time } from './print.ts'

export function playbookCommand(program: Command): void {
  const playbook = program.command('playbook').description('Check playbooks, and see which are active.')
  dryRunCommand(playbook)
  impactCommand(playbook)
  lintCommand(playbook)
  testCommand(playbook)
  schemaCommand(playbook)
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
