import { styleText } from 'node:util'
import { type Command, Option } from 'commander'
import { systemClock } from '../../config/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { type ChangedCall, loadPlaybook, openWorld, type RehearsedCall, type Replayed, replayRun } from '../../rehearsal/index.ts'
import { count } from '../arguments.ts'
import { checking } from '../checking.ts'
import { findTarget } from '../client.ts'
import { bold, dim, json as jsonText, plain } from '../print.ts'
import { Progress } from '../progress.ts'
import { fetchRecording, listRuns } from '../run-recordings.ts'
import { type OfflineOptions, offlineCommand, offlineFolders } from './offline.ts'

interface ReplayOptions extends OfflineOptions {
  readonly since: string
  readonly playbook?: string
  readonly alertType?: string
  readonly organization?: string
  readonly limit: number
  readonly url?: string
  readonly key?: string
  readonly format: 'human' | 'json'
}

async function replay(file: string, options: ReplayOptions): Promise<void> {
  const target = findTarget(options)
  const world = await openWorld(offlineFolders(options))
  const { plan } = await loadPlaybook(world, file)
  if (plan.types.length === 0)
    throw new TocsinError('config_invalid', `${file} is a sub-playbook; replay a playbook that runs it, with this file beside it`)
  const named = options.playbook ?? (options.alertType === undefined ? plan.name : undefined)
  const found = await listRuns(target, { ...options, ...(named !== undefined && { playbook: named }) }, systemClock.now())
  // What undoes a run has no playbook to be walked again.
  const runs = found.filter(({ undoes }) => undoes === null)
  // On standard error: what is left out is said whatever is done with the result.
  if (found.length >= options.limit) console.error(`Only the ${found.length} runs that began last; there may be more: --limit takes another number.`)
  const progress = new Progress('runs', runs.length)
  const replayed: Replayed[] = []
  for (const { run_id } of runs) {
    replayed.push(await replayRun(world, await fetchRecording(target, String(run_id)), plan))
    progress.step()
  }
  progress.end()
  console.log(options.format === 'json' ? jsonText(replayed) : human(replayed, file))
  process.exitCode = replayed.some(({ outcome_after }) => outcome_after === null) ? 1 : 0
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
  if (outcome_after === null) return [`${bold(run)}: cannot be walked again: ${plain(note)}`]
  const outcome = outcome_before === outcome_after ? outcome_before : `${outcome_before} -> ${outcome_after}`
  return [
    `${bold(run)}: ${outcome}${outcome_before !== outcome_after && note !== null ? `: ${plain(note)}` : ''}`,
    ...added.map((call) => `  ${styleText('green', '+')} ${callLine(call)}`),
    ...removed.map((call) => `  ${styleText('red', '-')} ${callLine(call)}`),
    ...changed.flatMap(changedLines),
    ...missing.map((call) => `  ? no recorded answer, so one was generated: ${callLine(call)}`),
    ...assumed.map(({ step, title }) => `  ? taken as approved: ${plain(title)} (${step})`),
  ]
}

function human(all: readonly Replayed[], file: string): string {
  if (all.length === 0) return 'There are no such runs.'
  const shown = all.filter((one) => differs(one) || one.missing.length + one.assumed.length > 0)
  const broken = all.filter(({ outcome_after }) => outcome_after === null).length
  const others = [...new Set(all.flatMap(({ other_plugins }) => other_plugins))].sort()
  const different = all.filter(differs).length - broken
  const parts = [
    `${all.length} ${all.length === 1 ? 'run' : 'runs'} with ${file}`,
    `${all.length - different - broken} as before`,
    `${different} with other writes or another outcome`,
    ...(broken > 0 ? [`${broken} that cannot be walked again`] : []),
  ]
  const warning =
    others.length > 0 ? [`Other versions of plugins than runs had: ${others.join(', ')}. The runs were walked again with those that are here.`] : []
  return [...shown.flatMap(lines), ...(shown.length > 0 ? [''] : []), parts.join(', '), ...warning].join('\n')
}

export function replayCommand(playbook: Command): void {
  const command = offlineCommand(
    playbook,
    'replay <file>',
    'Walk recorded runs of a playbook again with an edited one, over their recorded answers, and show which writes appear, vanish or change.',
  )
    .option('--since <time>', 'runs that began since: a duration before now such as 7d, or a time', '7d')
    .option('--playbook <name>', "runs of the playbook of this name; the edited file's own if absent")
    .option('--alert-type <type>', 'runs for alerts of this type, of any playbook unless --playbook is given')
    .option('--organization <code>', 'runs of this organization')
    .option('--limit <number>', 'at most this many, those that began last', count, 1_000)
    .option('--url <url>', 'address of Tocsin (TOCSIN_URL, default the local one)')
    .option('--key <key>', 'API key (TOCSIN_API_KEY, default <data>/admin.key)')
    .addOption(new Option('--format <format>', 'how it is printed').choices(['human', 'json']).default('human'))
  checking(command, replay)
}
