/**
 * `tocsin playbook`: check playbook files (`check/`), run them without calling anybody (`rehearse/`), and manage their versions on a running Tocsin (`versions/`).
 */
import type { Command } from 'commander'
import type { Answer } from '../../client.ts'
import { time } from '../../print.ts'
import { remoteCommand, type Shared, showList } from '../../remote-command.ts'
import { impactCommand, lintCommand, schemaCommand } from './check/index.ts'
import { dryRunCommand, replayCommand, testCommand } from './rehearse/index.ts'
import { activateCommand, diffCommand, historyCommand, importCommand, rollbackCommand, showCommand, withdrawCommand } from './versions/index.ts'

export function playbookCommand(program: Command): void {
  const playbook = program.command('playbook').description('Check, test and simulate playbooks, and manage the active ones.')
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
