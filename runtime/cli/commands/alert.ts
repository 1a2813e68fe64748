import type { Command } from 'commander'
import { alertStatusNames } from '../../domain/index.ts'
import { count } from '../arguments.ts'
import { type Answer, findTarget, Refused, request, type Target } from '../client.ts'
import { mustConfirm } from '../confirm.ts'
import { readInput } from '../files.ts'
import { json as jsonText, plain, time } from '../print.ts'
import { remoteCommand, type Shared, show, showList } from '../remote-command.ts'
import { alertText } from '../views/index.ts'

interface PostOptions extends Shared {
  readonly organization: string
  readonly provider: string
  readonly type?: string
  readonly idempotencyKey?: string
  readonly wait?: number
}

interface ListOptions extends Shared {
  readonly organization?: string
  readonly type?: string
  readonly status?: string
  readonly q?: string
  readonly duplicateOf?: string
  readonly limit: number
}

async function post(file: string, options: PostOptions): Promise<void> {
  const { organization, provider, type, idempotencyKey, wait } = options
  const body = {
    alert_content: readInput(file),
    alert_provider: provider,
    organization_code: organization,
    ...(type !== undefined && { alert_type: type }),
  }
  const headers = {
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(wait !== undefined && { prefer: `wait=${wait}` }),
  }
  showAlert(await request(findTarget(options), 'POST', '/platformapi/alerts', body, headers), options)
}

/** Shows the fields of an alert, with the word for its status. JSON is as the API answers it. */
function showAlert(alert: Answer, options: Shared): void {
  const status = alert['investigation_status'] as keyof typeof alertStatusNames
  if (options.json) return show(alert, options)
  show({ ...alert, investigation_status: `${status} ${alertStatusNames[status]}` }, options)
  if (alert['alert_type'] === null) console.error('The alert is stored, and will not be investigated: it has no type (--type).')
}

async function list(options: ListOptions): Promise<void> {
  const query = new URLSearchParams()
  for (const name of ['organization', 'type', 'status', 'q'] as const) if (options[name] !== undefined) query.set(name, options[name])
  if (options.duplicateOf !== undefined) query.set('duplicate_of', options.duplicateOf)
  query.set('limit', String(Math.min(options.limit, 100)))
  const columns = {
    ID: (item: Answer) => item['alert_id'],
    'ALERT NAME': (item: Answer) => item['alert_name'],
    STATUS: (item: Answer) => item['status_name'],
    'CREATION TIME': (item: Answer) => time(item['created_at']),
    INVESTIGATOR: (item: Answer) => item['investigator'],
    'CASE ID': (item: Answer) => item['case_id'],
    'COMPLETION TIME': (item: Answer) => time(item['completed_at']),
    'DUPLICATE OF': (item: Answer) => item['duplicate_of'],
  }
  await showList(options, `/platformapi/alerts?${query}`, columns, options.limit)
}

async function retry(id: string, { yes, ...options }: Shared & { readonly yes?: boolean }): Promise<void> {
  const target = findTarget(options)
  const path = `/platformapi/alerts/${encodeURIComponent(id)}`
  if (!yes) {
    const writes = await earlierWrites(target, await request(target, 'GET', path))
    const text = `Earlier attempts changed external systems, and another attempt may repeat that:\n${writes.join('')}Investigate again? [y/N] `
    if (writes.length > 0) await mustConfirm(text, `${id} was not investigated again.`, options)
  }
  const { earlier_writes, ...alert } = await request(target, 'POST', `${path}/retry`)
  if (options.json) return show({ ...alert, earlier_writes }, options)
  showAlert(alert, options)
  const steps = (earlier_writes as readonly Answer[]).map(({ step }) => plain(step))
  if (steps.length > 0) console.error(`Earlier attempts did this, and the retry may repeat it: ${steps.join(', ')}`)
}

/** Returns a line for each write of earlier attempts. Returns none if the key may not read runs: `retry` then lists the steps afterwards. */
async function earlierWrites(target: Target, alert: Answer): Promise<readonly string[]> {
  const lines: string[] = []
  for (const { run_id: id } of (alert['runs'] ?? []) as readonly Answer[]) {
    try {
      const run = await request(target, 'GET', `/platformapi/runs/${id}`)
      for (const { step, skill, outcome } of run['writes'] as readonly Answer[])
        lines.push(`  ${plain(step)} ${plain(skill)}${outcome === 'unknown' ? ' (nobody knows whether it happened)' : ''}\n`)
    } catch (error) {
      if (error instanceof Refused && error.status === 403) return []
      throw error
    }
  }
  return lines
}

export function alertCommand(program: Command): void {
  const alert = program.command('alert').description('Post, list, show and retry alerts.')
  remoteCommand(alert, 'post <file>', 'Post an alert with the content of a file, or of standard input (-).')
    .requiredOption('--organization <code>', 'organization code')
    .requiredOption('--provider <code>', 'provider code')
    .option('--type <type>', 'alert type; without it the alert is stored and not investigated')
    .option('--idempotency-key <key>', 'if an alert with this key exists, answer with it and create none')
    .option('--wait <seconds>', 'wait for the investigation to end', count)
    .action(post)
  remoteCommand(alert, 'list', 'List alerts, newest first.')
    .option('--organization <code>', 'only alerts of this organization')
    .option('--type <type>', 'only alerts of this type')
    .option('--status <status>', 'only alerts with this status: created, submitted, inprogress, completed, failed')
    .option('--q <words>', 'only alerts that contain all these words, or words that begin with them')
    .option('--duplicate-of <id>', 'only duplicates of this alert (alert_id or alert_uuid)')
    .option('--limit <number>', 'at most this many', count, 50)
    .action(list)
  remoteCommand(alert, 'show <id>', 'Show an alert with its runs and case, by alert_id or alert_uuid.').action(
    async (id: string, options: Shared) => {
      const alert = await request(findTarget(options), 'GET', `/platformapi/alerts/${encodeURIComponent(id)}`)
      console.log(options.json ? jsonText(alert) : alertText(alert))
    },
  )
  remoteCommand(alert, 'retry <id>', 'Investigate an alert again. Asks first if that may repeat a change in an external system.')
    .option('--yes', 'do not ask')
    .action(retry)
}
