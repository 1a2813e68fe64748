import type { Command } from 'commander'
import { isObject, type Json } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { parseYaml } from '../../yaml/index.ts'
import { moment } from '../arguments.ts'
import { type Answer, findTarget, request, type Target } from '../client.ts'
import { readInput } from '../files.ts'
import { findConnection } from '../find-connection.ts'
import { json as jsonText, linesText, listOf, plain, time } from '../print.ts'
import { remoteCommand, type Shared, show, showList } from '../remote-command.ts'

const path = '/platformapi/fetches'
const pathOf = (id: string, ...more: readonly string[]): string => [path, ...[id, ...more].map(encodeURIComponent)].join('/')

/** Says in a word whether a fetch works. */
function stateOf(fetch: Answer): string {
  if (fetch['enabled'] !== true) return 'disabled'
  if (fetch['last_attempt'] === null) return 'new'
  const failure = (fetch['last_attempt'] as Answer)['failure'] as Answer | null
  return failure === null ? 'works' : `fails: ${plain(failure['code'])}`
}

const columns = {
  ID: (item: Answer) => item['id'],
  ORGANIZATION: (item: Answer) => item['organization_code'],
  NAME: (item: Answer) => item['name'],
  CONNECTION: (item: Answer) => item['instance'] ?? '(removed)',
  SKILL: (item: Answer) => item['skill'],
  STATE: stateOf,
  FETCHED: (item: Answer) => time(item['fetched_at']),
}

/**
 * Reads a file with the fields of the API. `connection` may be the connection's name.
 * @throws TocsinError `yaml_invalid`, `yaml_too_large`, `fetch_invalid`, `connection_unknown`, `connection_ambiguous`
 */
async function readFetch(target: Target, file: string): Promise<Readonly<Record<string, Json>>> {
  const { value } = parseYaml(readInput(file), file)
  if (!isObject(value)) throw new TocsinError('fetch_invalid', `${file} must have the fields of a fetch: see docs/guides/alert-sources.md.`)
  const { connection, organization_code: organization } = value
  if (typeof connection !== 'string') return value
  const found = await findConnection(target, connection, typeof organization === 'string' ? { organization } : {})
  return { ...value, connection: String(found['id']) }
}

/** Shows what a fetch would bring. */
function trialText(trial: Answer): string {
  const failure = trial['failure'] as Answer | null
  if (failure !== null) return `${plain(failure['code'])}: ${plain(failure['message'])}\n${plain(failure['remedy'] ?? '')}`
  const alerts = listOf(trial['alerts']).map((alert) => {
    const at = alert['created_at_source']
    return `  ${plain(alert['alert_type'] ?? '(no type)')}  ${plain(alert['id'] ?? '(no id)')}  ${at === null ? '(no time)' : time(at)}`
  })
  const warnings = (trial['warnings'] as readonly string[]).map((warning) => `warning: ${plain(warning)}`)
  const shown = alerts.length < Number(trial['found']) ? `; the first ${alerts.length}:` : alerts.length > 0 ? ':' : ''
  return linesText([`found ${plain(trial['found'])}${shown}`, ...alerts, ...warnings, 'Nothing was stored.'])
}

/** `tocsin fetch`. */
export function fetchCommand(program: Command): void {
  const fetch = program.command('fetch').description('Fetch alerts from systems that cannot send them.')
  remoteCommand(fetch, 'try <file>', 'Call the skill once, and show which alerts a fetch would bring. Stores nothing.').action(
    async (file: string, options: Shared) => {
      const target = findTarget(options)
      const trial = await request(target, 'POST', `${path}/try`, await readFetch(target, file))
      console.log(options.json ? jsonText(trial) : trialText(trial))
      if (trial['failure'] !== null) process.exitCode = 1
    },
  )
  remoteCommand(fetch, 'add <file>', 'Create a fetch from a YAML file. It begins at once.').action(async (file: string, options: Shared) => {
    const target = findTarget(options)
    show(await request(target, 'POST', path, await readFetch(target, file)), options)
  })
  remoteCommand(fetch, 'list', 'List fetches, and whether they work.').action((options: Shared) =>
    showList(options, path, columns, Number.POSITIVE_INFINITY),
  )
  remoteCommand(fetch, 'show <id>', 'Show a fetch and its last attempt.').action(async (id: string, options: Shared) =>
    show(await request(findTarget(options), 'GET', pathOf(id)), options),
  )
  remoteCommand(fetch, 'now <id>', 'Begin the next attempt now.').action(async (id: string, options: Shared) =>
    show(await request(findTarget(options), 'POST', pathOf(id, 'now')), options),
  )
  changing(fetch)
  remoteCommand(fetch, 'remove <id>', 'Remove a fetch. Its alerts stay.').action(async (id: string, options: Shared) => {
    await request(findTarget(options), 'DELETE', pathOf(id))
    console.log(`removed ${id}`)
  })
}

function changing(fetch: Command): void {
  const change = async (id: string, options: Shared, fields: (target: Target) => Promise<Answer>): Promise<void> => {
    const target = findTarget(options)
    const changes = await fields(target)
    const { revision } = await request(target, 'GET', pathOf(id))
    show(await request(target, 'PATCH', pathOf(id), { revision, ...changes }), options)
  }
  remoteCommand(fetch, 'change <id> <file>', 'Change a fetch to what a YAML file says.').action((id: string, file: string, options: Shared) =>
    change(id, options, async (target) => {
      const { organization_code: _, ...fields } = await readFetch(target, file)
      return fields
    }),
  )
  remoteCommand(fetch, 'again <id>', 'Fetch again from a time on. What was fetched before makes no second alert.')
    .requiredOption('--since <time>', 'in ISO 8601, in UTC if it has no zone: 2026-11-28T06:00:00Z', moment)
    .action((id: string, options: Shared & { readonly since: number }) => change(id, options, async () => ({ since: options.since })))
  for (const [name, enabled, description] of [
    ['enable', true, 'Enable a fetch. It goes on where it was.'],
    ['disable', false, 'Disable a fetch.'],
  ] as const)
    remoteCommand(fetch, `${name} <id>`, description).action((id: string, options: Shared) => change(id, options, async () => ({ enabled })))
}
