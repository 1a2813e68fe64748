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
    .option('--organization <code>', 'an organization; with --playbook, that playbook of it')
    .option('--playbook <name>', 'a playbook or sub-playbook; of all organizations if none is named')
    .option('--connection <connection>', 'a connection, by its id or instance')
    .option('--reason <text>', 'why; whoever sees the pause reads it')
}

/** What is named, as the API takes it. An organization beside a connection only narrows down the instance's name. */
async function targetOf(target: Target, { organization, playbook, connection }: Named): Promise<Readonly<Record<string, string>>> {
  const place = { ...(organization !== undefined && { organization }) }
  if (connection === undefined) return { ...place, ...(playbook !== undefined && { playbook }) }
  if (playbook !== undefined) throw new TocsinError('body_invalid', '--playbook and --connection are paused each by itself.')
  return { connection: String((await findConnection(target, connection, place))['id']) }
}

async function pause(options: Named): Promise<void> {
  const target = findTarget(options)
  const { reason } = options
  const paused = await request(target, 'POST', path, { ...(await targetOf(target, options)), ...(reason !== undefined && { reason }) })
  if (options.json) return console.log(jsonText(paused))
  console.log(`${bold('paused')}  ${pauseText(paused)}`)
  console.log(`\`tocsin resume ${plain(paused['id'])}\` lets it go on; what it holds then goes on by itself.`)
}

async function standing(target: Target): Promise<readonly Answer[]> {
  const found: Answer[] = []
  for await (const each of listAll(target, `${path}?state=standing&limit=100`)) found.push(each)
  return found
}

/** Whether it is a pause of exactly what is named. */
function isOf(pause: Answer, wanted: Readonly<Record<string, string>>): boolean {
  if (wanted['connection'] !== undefined) return pause['connection_id'] === wanted['connection']
  if (pause['kind'] === 'connection') return false
  return pause['organization_code'] === (wanted['organization'] ?? null) && pause['playbook'] === (wanted['playbook'] ?? null)
}

/** The pauses that are meant. @throws TocsinError `pause_unknown`, with what is paused instead */
async function meant(target: Target, id: string | undefined, options: Named & { readonly all?: boolean }): Promise<readonly Answer[]> {
  if (id !== undefined) return [await request(target, 'GET', `${path}/${encodeURIComponent(id)}`)]
  const all = await standing(target)
  if (options.all) return all
  const wanted = await targetOf(target, options)
  const found = all.filter((each) => isOf(each, wanted))
  if (found.length > 0) return found
  const instead = all.length === 0 ? 'nothing is' : `paused is ${all.map((each) => `${plain(each['what'])} (${plain(each['id'])})`).join(', ')}`
  throw new TocsinError('pause_unknown', `What is named is not paused; ${instead}.`)
}

async function resume(id: string | undefined, options: Named & { readonly all?: boolean }): Promise<void> {
  const target = findTarget(options)
  const query = options.reason === undefined ? '' : `?${new URLSearchParams({ reason: options.reason })}`
  const over: Answer[] = []
  const refused: unknown[] = []
  // One that the key may not resume keeps back no other.
  for (const each of await meant(target, id, options)) {
    await request(target, 'DELETE', `${path}/${each['id']}${query}`).then(
      (resumed) => over.push(resumed),
      (error) => refused.push(error),
    )
  }
  if (options.json) console.log(jsonText(over))
  else showResumed(over, await standing(target))
  if (refused.length > 0) throw refused[0]
}

function showResumed(over: readonly Answer[], left: readonly Answer[]): void {
  if (over.length + left.length === 0) console.log('Nothing is paused.')
  for (const each of over) console.log(`${bold('resumed')}  ${plain(each['what'])}, by ${plain(each['resumed_by'])} at ${time(each['resumed_at'])}`)
  for (const each of left) console.log(`still paused  ${pauseText(each)}`)
}

/** `tocsin pause`: stops; `tocsin pause list`: says what is stopped. */
export function pauseCommand(program: Command): void {
  const command = named(remoteCommand(program, 'pause', 'Pause investigations and their writes: all of them, or those of what you name.')).action(
    (options: Named) => pause(options),
  )
  remoteCommand(command, 'list', 'Show what is paused, since when, by whom and why.')
    .option('--all', 'include pauses that have ended')
    .option('--limit <number>', 'at most this many', count, 50)
    .action((_: ListOptions, list: Command) => {
      // Those that `pause` has as well, it takes for itself.
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
  named(remoteCommand(program, 'resume [pause]', 'Resume paused work: by the id of the pause, by the names it was paused with, or all of it.'))
    .option('--all', 'everything that is paused')
    .action((id: string | undefined, options: Named & { readonly all?: boolean }) => resume(id, options))
}
