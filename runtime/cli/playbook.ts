import type { Command } from 'commander'
import type { Answer } from './client.ts'
import { remoteCommand, type Shared, showList } from './command.ts'
import { activateCommand, importCommand, rollbackCommand, withdrawCommand } from './playbook/activate.ts'
import { diffCommand } from './playbook/diff.ts'
import { dryRunCommand } from './playbook/dry-run.ts'
import { historyCommand } from './playbook/history.ts'
import { impactCommand } from './playbook/impact.ts'
import { lintCommand } from './playbook/lint.ts'
import { replayCommand } from './playbook/replay.ts'
import { schemaCommand } from './playbook/schema.ts'
import { showCommand } from './playbook/show.ts'
import { testCommand } from './playbook/test.ts'
import { time } from './print.ts'

export function playbookCommand(program: Command): void {
  const playbook = program.command('playbook').description('Check and try playbooks, and see and change which are active.')
  dryRunCommand(playbook)
  impactCommand(playbook)
  lintCommand(playbook)
  replayCommand(playbook)
  testCommand(playbook)
  schemaCommand(playbook)
  showCommand(playbook)
  historyCommand(playbook)
  diffCommand(playbook)
  activateCommand(playbook)
  rollbackCommand(playbook)
  withdrawCommand(playbook)
  importCommand(playbook)
  remoteCommand(playbook, 'list', 'List the active playbooks.').action((options: Shared) => {
    const columns = {
      'ALERT TYPE': (item: Answer) => item['alert_type'] ?? '(sub-playbook)',
      PLAYBOOK: (item: Answer) => item['name'],
      ORGANIZATION: (item: Answer) => item['organization_code'] ?? '(all)',
      SOURCE: (item: Answer) => item['source'],
      ACTIVATED: (item: Answer) => time(item['activated_at']),
    }
    return showList(options, '/platformapi/playbooks', columns, Number.POSITIVE_INFINITY)
  })
}
