import { type Command, InvalidArgumentError } from 'commander'
import { parseDuration } from '../../formats/index.ts'
import { count } from '../arguments.ts'
import { type Answer, findTarget, request } from '../client.ts'
import { plain, time } from '../print.ts'
import { remoteCommand, type Shared, show, showList } from '../remote-command.ts'

interface AddOptions extends Shared {
  readonly events: readonly string[]
  readonly organization?: string
  readonly description?: string
}

interface ListOptions extends Shared {
  readonly state?: string
  readonly limit: number
}

function words(text: string): string[] {
  return text.split(',').map((word) => word.trim())
}

function duration(text: string): number {
  try {
    return parseDuration(text)
  } catch {
    throw new InvalidArgumentError('It must be a time such as 24h, 30m or 0s.')
  }
}

function pathOf(id: string, ...more: readonly string[]): string {
  return ['/platformapi/webhooks', ...[id, ...more].map(encodeURIComponent)].join('/')
}

const columns = {
  ID: (item: Answer) => item['id'],
  ORGANIZATION: (item: Answer) => item['organization_code'] ?? '(all)',
  URL: (item: Answer) => item['url'],
  EVENTS: (item: Answer) => (item['events'] as string[]).join(','),
  STATE: (item: Answer) => (item['enabled'] === true ? 'enabled' : `disabled: ${plain(item['disabled_because'])}`),
}

const deliveryColumns = {
  ID: (item: Answer) => item['id'],
  TYPE: (item: Answer) => item['type'],
  STATE: (item: Answer) => item['state'],
  CREATED: (item: Answer) => time(item['created_at']),
  ATTEMPTS: (item: Answer) => item['attempts'],
  NEXT: (item: Answer) => time(item['next_attempt_at']),
  'LAST ERROR': (item: Answer) => item['last_error'],
}

/** `tocsin webhook`. */
export function webhookCommand(program: Command): void {
  const webhook = program.command('webhook').description('Send events to a URL: a decision waits, a run failed, a case opened, and others.')
  changing(webhook)
  remoteCommand(webhook, 'list', 'List webhooks.').action((options: Shared) =>
    showList(options, '/platformapi/webhooks', columns, Number.POSITIVE_INFINITY),
  )
  remoteCommand(webhook, 'show <id>', 'Show a webhook.').action(async (id: string, options: Shared) =>
    show(await request(findTarget(options), 'GET', pathOf(id)), options),
  )
  remoteCommand(webhook, 'deliveries <id>', 'List the deliveries of a webhook, newest first.')
    .option('--state <state>', 'waiting, delivered or dead')
    .option('--limit <number>', 'at most this many', count, 50)
    .action((id: string, options: ListOptions) => {
      const query = new URLSearchParams({ limit: String(Math.min(options.limit, 100)) })
      if (options.state !== undefined) query.append('state', options.state)
      return showList(options, `${pathOf(id, 'deliveries')}?${query}`, deliveryColumns, options.limit)
    })
  remoteCommand(webhook, 'redeliver <id> <delivery>', 'Send a delivery again, whether it was delivered or given up.').action(
    async (id: string, delivery: string, options: Shared) =>
      show(await request(findTarget(options), 'POST', pathOf(id, 'deliveries', delivery, 'redeliver')), options),
  )
  remoteCommand(webhook, 'test <id>', 'Send a ping and show the answer. Fails unless the answer is 2xx.').action(
    async (id: string, options: Shared) => {
      const answer = await request(findTarget(options), 'POST', pathOf(id, 'test'))
      show(answer, options)
      if (answer['ok'] !== true) process.exitCode = 1
    },
  )
}

function changing(webhook: Command): void {
  remoteCommand(webhook, 'add <url>', 'Add a webhook, and show its secret once.')
    .requiredOption('--events <list>', 'decision.opened, decision.closed, run.failed, case.opened, separated by commas', words)
    .option('--organization <code>', 'only events of this organization (default: all organizations)')
    .option('--description <text>', 'what it is for')
    .action(async (url: string, options: AddOptions) => {
      const { events, organization, description } = options
      const body = {
        url,
        events,
        ...(organization !== undefined && { organization_code: organization }),
        ...(description !== undefined && { description }),
      }
      show(await request(findTarget(options), 'POST', '/platformapi/webhooks', body), options)
    })
  remoteCommand(webhook, 'rotate <id>', 'Give a webhook a new secret, and show it once.')
    .option('--overlap <time>', 'how long the old secret stays valid, at most 7 days (default 24h)', duration)
    .action(async (id: string, options: Shared & { readonly overlap?: number }) => {
      const body = options.overlap === undefined ? {} : { overlap: options.overlap }
      show(await request(findTarget(options), 'POST', pathOf(id, 'secret'), body), options)
    })
  for (const [name, enabled, description] of [
    ['enable', true, 'Enable a webhook: deliver events from now on.'],
    ['disable', false, 'Disable a webhook, and give up its waiting deliveries.'],
  ] as const)
    remoteCommand(webhook, `${name} <id>`, description).action(async (id: string, options: Shared) => {
      const target = findTarget(options)
      const { revision } = await request(target, 'GET', pathOf(id))
      show(await request(target, 'PATCH', pathOf(id), { revision, enabled }), options)
    })
  remoteCommand(webhook, 'remove <id>', 'Remove a webhook with its deliveries.').action(async (id: string, options: Shared) => {
    await request(findTarget(options), 'DELETE', pathOf(id))
    console.log(`removed ${id}`)
  })
}
