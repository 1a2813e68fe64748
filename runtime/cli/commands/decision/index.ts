/**
 * `tocsin decision`: list, show and answer decisions. `same-quota.ts` answers all decisions that wait for the same quota.
 */
import type { Command } from 'commander'
import { parseJson } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { count } from '../../arguments.ts'
import { type Answer, findTarget, request } from '../../client.ts'
import { json as jsonText, time } from '../../print.ts'
import { remoteCommand, type Shared, showList } from '../../remote-command.ts'
import { decisionText } from '../../views/index.ts'
import { answerSameQuota } from './same-quota.ts'

interface ListOptions extends Shared {
  readonly all?: boolean
  readonly kind?: string
  readonly limit: number
}

interface AnswerOptions extends Shared {
  readonly reason?: string
  readonly output?: string
  readonly sameQuota?: boolean
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new TocsinError('body_not_json', `--output is not JSON: ${String(error)}`)
  }
}

export function decisionCommand(program: Command): void {
  const decision = program.command('decision').description('List, show and answer the decisions that runs wait for.')
  remoteCommand(decision, 'list', 'List open decisions, newest first.')
    .option('--all', 'include closed decisions')
    .option('--kind <kind>', 'approval, in_doubt or quota')
    .option('--limit <number>', 'at most this many', count, 50)
    .action((options: ListOptions) => {
      const columns = {
        ID: (item: Answer) => item['id'],
        KIND: (item: Answer) => item['kind'],
        STATE: (item: Answer) => item['state'],
        CASE: (item: Answer) => item['case_id'],
        TITLE: (item: Answer) => item['title'],
        WAITING: (item: Answer) => (item['quota'] as Answer | null)?.['waiting'] ?? '',
        ASKED: (item: Answer) => time(item['asked_at']),
        EXPIRES: (item: Answer) => time(item['expires_at']),
      }
      const query = new URLSearchParams({ limit: String(Math.min(options.limit, 100)) })
      if (!options.all) query.append('state', 'open')
      if (options.kind !== undefined) query.append('kind', options.kind)
      return showList(options, `/platformapi/decisions?${query}`, columns, options.limit)
    })
  remoteCommand(decision, 'show <id>', 'Show a decision.').action(async (id: string, options: Shared) => {
    print(await request(findTarget(options), 'GET', `/platformapi/decisions/${encodeURIComponent(id)}`), options)
  })
  remoteCommand(
    decision,
    'answer <id> <verdict>',
    'Answer a decision with approve or decline; for a write in doubt with happened, repeat or give_up.',
  )
    .option('--reason <text>', 'the reason, shown in the case')
    .option('--output <json>', 'with the verdict happened: the output of the write, as JSON')
    .option('--same-quota', 'also answer all other open decisions of the organization that wait for the same quota')
    .action(async (id: string, verdict: string, options: AnswerOptions) => {
      const { reason, output, sameQuota } = options
      const body = { verdict, ...(reason !== undefined && { reason }), ...(output !== undefined && { output: parse(output) }) }
      if (sameQuota) return answerSameQuota(id, body, options)
      print(await request(findTarget(options), 'POST', `/platformapi/decisions/${encodeURIComponent(id)}`, body), options)
    })
}

function print(found: Answer, { json }: Shared): void {
  console.log(json ? jsonText(found) : decisionText(found))
}
