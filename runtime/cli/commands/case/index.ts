/** `tocsin case`: lists, shows and changes cases. */
import type { Command } from 'commander'
import { type Answer, findTarget, request } from '../../client.ts'
import { json as jsonText, plain } from '../../print.ts'
import { remoteCommand, type Shared } from '../../remote-command.ts'
import { caseText } from '../../views/index.ts'
import { caseListCommand } from './list.ts'

export { attentionWords } from './list.ts'

const dispositions: readonly string[] = ['no_threat_found', 'non_malicious_positive', 'malicious']

interface Closing {
  readonly disposition?: string
  readonly openDecisions?: string
}

function pathOf(id: string): string {
  return `/platformapi/cases/${encodeURIComponent(id)}`
}

async function change(id: string, body: object, options: Shared, say: (found: Answer) => string): Promise<void> {
  const found = await request(findTarget(options), 'PATCH', pathOf(id), body)
  console.log(options.json ? jsonText(found) : say(found))
}

export function caseCommand(program: Command): void {
  const parent = program.command('case').description('Look at cases and change them.')
  caseListCommand(parent)
  remoteCommand(parent, 'show <id>', 'Show a case with its timeline.').action(async (id: string, options: Shared) => {
    const found = await request(findTarget(options), 'GET', pathOf(id))
    console.log(options.json ? jsonText(found) : caseText(found))
  })
  remoteCommand(parent, 'close <id>', 'Close a case.')
    .option('--disposition <disposition>', `${dispositions.join(', ')}; absent: it stays as it is`)
    .option('--open-decisions <what>', 'leave (they stay open) or decline; needed if the case has open decisions')
    .action((id: string, options: Shared & Closing) => {
      const { disposition, openDecisions } = options
      const body = { status: 'closed', ...(disposition && { disposition }), ...(openDecisions && { open_decisions: openDecisions }) }
      return change(id, body, options, (found) => `${plain(found['case_id'])} is closed, disposition ${plain(found['disposition'])}`)
    })
  remoteCommand(parent, 'assign <id> [name]', 'Assign a case to a person (`me`: to yourself), or to nobody.')
    .option('--nobody', 'remove the assignee')
    .action((id: string, name: string | undefined, options: Shared & { readonly nobody?: boolean }, command: Command) => {
      if ((name === undefined) !== (options.nobody === true)) command.error('error: give either a name or --nobody')
      return change(
        id,
        { assignee: name ?? null },
        options,
        (found) => `${plain(found['case_id'])} is assigned to ${plain(found['assignee'] ?? 'nobody')}`,
      )
    })
  remoteCommand(parent, 'comment <id> <text>', 'Comment on a case. @name mentions a person.').action(
    async (id: string, text: string, options: Shared) => {
      const comment = await request(findTarget(options), 'POST', `${pathOf(id)}/comments`, { text })
      console.log(options.json ? jsonText(comment) : `Commented on ${plain(id)}.`)
    },
  )
}
