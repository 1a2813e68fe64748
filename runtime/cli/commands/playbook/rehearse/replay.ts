import { styleText } from 'node:util'
import { type Command, Option } from 'commander'
import { systemClock } from '../../../../config/index.ts'
import { isTocsinError, type TocsinError } from '../../../../errors/index.ts'
import { playbookNameIn } from '../../../../playbook/index.ts'
import {
  type ChangedCall,
  notReplayed,
  openWorld,
  type RehearsedCall,
  type Replayed,
  readWithAround,
  replayRun,
  type ServedPlaybook,
} from '../../../../rehearsal/index.ts'
import { count } from '../../../arguments.ts'
import { type Answer, findTarget, type Reach, type Target } from '../../../client.ts'
import { checking } from '../../../exit-codes.ts'
import { bold, dim, json as jsonText, linesText, plain } from '../../../print.ts'
import { Progress } from '../../../progress.ts'
import { withReach } from '../../../remote-command.ts'
import { fetchRecording, fetchRun, listRuns } from '../../../run-recordings.ts'
import { type OfflineOptions, offlineCommand, offlineFolders } from '../offline.ts'
import { type Edit, type EditOf, prepareEdits } from './edited.ts'

interface ReplayOptions extends OfflineOptions, Reach {
  readonly run?: string
  readonly since: string
  readonly playbook?: string
  readonly alertType?: string
  readonly organization?: string
  readonly limit: number
  readonly format: 'human' | 'json'
}

/** A replayed run, and the sub-playbooks of its edited playbook that came from the server. */
interface Shown extends Replayed {
  readonly from_server: readonly {
    readonly playbook: string
    /** Null: the playbook is shared. */
    readonly organization_code: string | null
    readonly revision: number
    readonly digest: string
  }[]
}

async function replay(file: string, options: ReplayOptions): Promise<void> {
  const target = findTarget(options)
  const world = await openWorld(offlineFolders(options))
  const read = await readWithAround(world, file)
  const editOf = await prepareEdits(world, read, target)
  const found = await runsFor(target, options, playbookNameIn(read))
  // An undo has no playbook to replay. The server says so if somebody asked for one.
  const runs = options.run === undefined ? found.filter(({ undoes }) => undoes === null) : found
  const organizations = [...new Set(runs.map(organizationOf))]
  const edits = await editsOf(organizations.length === 0 ? [options.organization ?? null] : organizations, editOf)
  // On standard error, so that people see what is left out even if standard output goes elsewhere.
  if (options.run === undefined && found.length >= options.limit)
    console.error(`Only the newest ${found.length} runs; there may be more (see --limit).`)
  const progress = new Progress('runs', runs.length)
  const replayed: Shown[] = []
  for (const run of runs) {
    const [id, edit] = [String(run['run_id']), edits.get(organizationOf(run))]
    if (isTocsinError(edit)) replayed.push({ ...notReplayed(id, String(run['state']), inWords(edit)), from_server: [] })
    else if (edit)
      replayed.push({ ...(await replayRun(world, await fetchRecording(target, id), edit.plan)), from_server: edit.served.map(servedView) })
    progress.step()
  }
  progress.end()
  console.log(options.format === 'json' ? jsonText(replayed) : human(replayed, file))
  process.exitCode = replayed.some(({ outcome_after }) => outcome_after === null) ? 1 : 0
}

/** The one run that was asked for, or those that the options select. @param named the name of the edited playbook */
async function runsFor(target: Target, options: ReplayOptions, named: string | null): Promise<readonly Answer[]> {
  if (options.run !== undefined) return [await fetchRun(target, options.run)]
  const playbook = options.playbook ?? (options.alertType === undefined ? named : null)
  return listRuns(target, { ...options, ...(playbook !== null && { playbook }) }, systemClock.now())
}

function organizationOf(run: Answer): string {
  return String(run['organization_code'])
}

/** Compiles the edit for each organization, or keeps the error of one. @throws TocsinError if it compiles for none of them */
async function editsOf(organizations: readonly (string | null)[], editOf: EditOf): Promise<ReadonlyMap<string | null, Edit | TocsinError>> {
  const edits = new Map<string | null, Edit | TocsinError>()
  for (const organization of organizations) {
    const edit = await editOf(organization).catch((error: unknown) => {
      if (isTocsinError(error) && error.code === 'playbook_invalid') return error
      throw error
    })
    edits.set(organization, edit)
  }
  const all = [...edits.values()]
  if (all.every(isTocsinError)) throw all[0]
  return edits
}

function inWords({ message, places }: TocsinError): string {
  const [first] = places
  return first === undefined ? message : `${message}: ${first.message}`
}

function servedView({ name, organization, revision, digest }: ServedPlaybook): Shown['from_server'][number] {
  return { playbook: name, organization_code: organization, revision, digest }
}

function differs({ outcome_before, outcome_after, added, removed, changed }: Replayed): boolean {
  return outcome_before !== outcome_after || added.length + removed.length + changed.length > 0
}

function callLine({ step, skill, impact, connection, input }: RehearsedCall): string {
  return `${impact} ${bold(skill)} at ${step} ${dim(`(${connection})`)} ${plain(JSON.stringify(input))}`
}

function changedLines(call: ChangedCall): string[] {
  return [
    `  ${styleText('yellow', '~')} ${callLine(call)}`,
    `    was ${plain(JSON.stringify(call.before.input))} ${dim(`(${call.before.connection})`)}`,
  ]
}

function lines(replayed: Replayed): string[] {
  const { run, outcome_before, outcome_after, added, removed, changed, missing, assumed, note } = replayed
  if (outcome_after === null) return [`${bold(run)}: cannot be replayed: ${plain(note)}`]
  const outcome = outcome_before === outcome_after ? outcome_before : `${outcome_before} -> ${outcome_after}`
  return [
    `${bold(run)}: ${outcome}${outcome_before !== outcome_after && note !== null ? `: ${plain(note)}` : ''}`,
    ...added.map((call) => `  ${styleText('green', '+')} ${callLine(call)}`),
    ...removed.map((call) => `  ${styleText('red', '-')} ${callLine(call)}`),
    ...changed.flatMap(changedLines),
    ...missing.map((call) => `  ? no recorded answer, so one was generated: ${callLine(call)}`),
    ...assumed.map(({ step, title }) => `  ? assumed to be approved: ${plain(title)} (${step})`),
  ]
}

function human(all: readonly Shown[], file: string): string {
  if (all.length === 0) return 'No runs match.'
  const shown = all.filter((one) => differs(one) || one.missing.length + one.assumed.length > 0)
  const broken = all.filter(({ outcome_after }) => outcome_after === null).length
  const others = [...new Set(all.flatMap(({ other_plugins }) => other_plugins))].sort()
  const different = all.filter(differs).length - broken
  const parts = [
    `${all.length} ${all.length === 1 ? 'run' : 'runs'} replayed with ${file}`,
    `${all.length - different - broken} unchanged`,
    `${different} with different writes or a different outcome`,
    ...(broken > 0 ? [`${broken} that cannot be replayed`] : []),
  ]
  const warning =
    others.length > 0
      ? [`These plugins have other versions than in the recorded runs: ${others.join(', ')}. The replay used the versions that are loaded here.`]
      : []
  return linesText([...shown.flatMap(lines), ...(shown.length > 0 ? [''] : []), parts.join(', '), ...servedLine(all), ...warning])
}

function servedLine(all: readonly Shown[]): string[] {
  const named = all.flatMap(({ from_server }) =>
    from_server.map(({ playbook, organization_code: organization, revision }) => {
      const whose = organization === null ? 'shared' : `${organization}'s own`
      return `${plain(playbook)} (${plain(whose)}, revision ${revision})`
    }),
  )
  return named.length === 0 ? [] : [`Sub-playbooks without a file, taken from the server: ${[...new Set(named)].sort().join(', ')}`]
}

/** Adds `tocsin playbook replay`. */
export function replayCommand(playbook: Command): void {
  const command = withReach(
    offlineCommand(
      playbook,
      'replay <file>',
      'Run an edited playbook against the recorded answers of earlier runs, and show which writes appear, vanish or change. Sub-playbooks without a file come from the server.',
    ),
  )
    .option('--run <id>', 'only this run; the other filters do not apply')
    .option('--since <time>', 'only runs that began within a duration such as 7d, or after a time (UTC if it has no zone)', '7d')
    .option('--playbook <name>', "only runs of this playbook (default: the edited file's own name)")
    .option('--alert-type <type>', 'only runs for alerts of this type, with any playbook unless --playbook is given')
    .option('--organization <code>', 'only runs of this organization')
    .option('--limit <number>', 'at most this many, newest first', count, 1_000)
    .addOption(new Option('--format <format>', 'output format').choices(['human', 'json']).default('human'))
  checking(command, replay)
}
