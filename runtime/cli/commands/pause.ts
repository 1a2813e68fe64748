import type { Command } from 'commander'
import { TocsinError } from '../../errors/index.ts'
import { count } from '../arguments.ts'
import { type Answer, findTarget, listAll, request, type Target } from '../client.ts'
import { findConnection } from '../find-connection.ts'
import { bold, json as jsonText, plain, time } from '../print.ts'
import { remoteCommand, type Shared, showList } from '../remote-command.ts'
import { pauseText } from '../views/index.ts'

interface Named extends Shared {
  readonly organization?: string
  readonly playbook?: string
  readonly connection?: string
  readonly reason?: string
}

interface ListOptions extends Shared {
  readonly all?: boolean
  readonly limit: number
}

const path = '/platformapi/pauses'

function named(command: Command): Command {
  return command
    .option('--organization <code>', 'an organization; with --playbook, only that playbook of the organization')
    .option('--playbook <name>', 'a playbook or sub-playbook, for all organizations unless --organization names one')
    .option('--connection <connection>', 'a connection, by its id or instance name')
    .option('--reason <text>', 'the reason, shown with the pause')
}

/**
 * Returns the options as the API takes them. With `--connection`, `--organization` only tells connections of
 * the same instance name apart.
 */
async function targetOf(target: Target, { organization, playbook, connection }: Named): Promise<Readonly<Record<string, string>>> {
  const place = { ...(organization !== undefined && { organization }) }
  if (connection === undefined) return { ...place, ...(playbook !== undefined && { playbook }) }
  if (playbook !== undefined) throw new TocsinError('body_invalid', 'Give either --playbook or --connection, not both.')
  return { connection: String((await findConnection(target, connection, place))['id']) }
}

async function pause(options: Named): Promise<void> {
  const target = findTarget(options)
  const { reason } = options
  const paused = await request(target, 'POST', path, { ...(await targetOf(target, options)), ...(reason !== undefined && { reason }) })
  if (options.json) return console.log(jsonText(paused))
  console.log(`${bold('paused')}  ${pauseText(paused)}`)
  console.log(`To resume: tocsin resume ${plain(paused['id'])}. Held work then continues by itself.`)
}

async function activePauses(target: Target): Promise<readonly Answer[]> {
  const found: Answer[] = []
  for await (const each of listAll(target, `${path}?state=standing&limit=100`)) found.push(each)
  return found
}

/** Returns true if the pause is of exactly this target, not of a larger or smaller one. */
function isOf(pause: Answer, wanted: Readonly<Record<string, string>>): boolean {
  if (wanted['connection'] !== undefined) return pause['connection_id'] === wanted['connection']
  if (pause['kind'] === 'connection') return false
  return pause['organization_code'] === (wanted['organization'] ?? null) && pause['playbook'] === (wanted['playbook'] ?? null)
}

/** Returns the pauses that the arguments name. @throws TocsinError `pause_unknown`, which lists the active pauses */
async function pausesNamed(target: Target, id: string | undefined, options: Named & { readonly all?: boolean }): Promise<readonly Answer[]> {
  if (id !== undefined) return [await request(target, 'GET', `${path}/${encodeURIComponent(id)}`)]
  const all = await activePauses(target)
  if (options.all) return all
  const wanted = await targetOf(target, options)
  const found = all.filter((each) => isOf(each, wanted))
  if (found.length > 0) return found
  if (all.length === 0) throw new TocsinError('pause_unknown', 'Nothing is paused.')
  const active = all.map((each) => `${plain(each['what'])} (${plain(each['id'])})`).join(', ')
  throw new TocsinError('pause_unknown', `No pause matches these options. Active pauses: ${active}.`)
}

async function resume(id: string | undefined, options: Named & { readonly all?: boolean }): Promise<void> {
  const target = findTarget(options)
  const query = options.reason === undefined ? '' : `?${new URLSearchParams({ reason: options.reason })}`
  const over: Answer[] = []
  const refused: unknown[] = []
  // If the key may not resume one of them, resume the others all the same.
  for (const each of await pausesNamed(target, id, options)) {
    await request(target, 'DELETE', `${path}/${each['id']}${query}`).then(
      (resumed) => over.push(resumed),
      (error) => refused.push(error),
    )
  }
  if (options.json) console.log(jsonText(over))
  else showResumed(over, await activePauses(target))
  if (refused.length > 0) throw refused[0]
}

function showResumed(over: readonly Answer[], left: readonly Answer[]): void {
  if (over.length + left.length === 0) console.log('Nothing is paused.')
  for (const each of over) console.log(`${bold('resumed')}  ${plain(each['what'])}, by ${plain(each['resumed_by'])} at ${time(each['resumed_at'])}`)
  for (const each of left) console.log(`still paused  ${pauseText(each)}`)
}

/** `tocsin pause` and `tocsin pause list`. */
export function pauseCommand(program: Command): void {
  const command = named(
    remoteCommand(program, 'pause', 'Pause investigations and their writes: all of them, or those of one organization, playbook or connection.'),
  ).action((options: Named) => pause(options))
  remoteCommand(command, 'list', 'Show what is paused, since when, by whom and why.')
    .option('--all', 'include ended pauses')
    .option('--limit <number>', 'at most this many', count, 50)
    .action((_: ListOptions, list: Command) => {
      // `pause` has some of the same options and takes their values, so read them from both commands.
      const options = list.optsWithGlobals<ListOptions>()
      const columns = {
        ID: (item: Answer) => item['id'],
        WHAT: (item: Answer) => item['what'],
        SINCE: (item: Answer) => time(item['paused_at']),
        BY: (item: Answer) => item['paused_by'],
        REASON: (item: Answer) => item['reason'],
        ...(options.all && { RESUMED: (item: Answer) => time(item['resumed_at']), 'RESUMED BY': (item: Answer) => item['resumed_by'] }),
      }
      const query = `?limit=${Math.min(options.limit, 100)}${options.all ? '' : '&state=standing'}`
      return showList(options, `${path}${query}`, columns, options.limit)
    })
}

/** `tocsin resume` */
export function resumeCommand(program: Command): void {
  named(remoteCommand(program, 'resume [pause]', 'Resume paused work: by the id of the pause, by the options it was paused with, or all of it.'))
    .option('--all', 'end all pauses')
    .action((id: string | undefined, options: Named & { readonly all?: boolean }) => resume(id, options))
}
