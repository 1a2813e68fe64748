import { type Command, Option } from 'commander'
import { systemClock } from '../../../../config/index.ts'
import { TocsinError } from '../../../../errors/index.ts'
import {
  type Answers,
  alertIn,
  type DryCall,
  type DryRun,
  dryRun,
  type FoundPlaybook,
  findPlaybook,
  loadAnswers,
  loadPlaybook,
  openWorld,
  slotsOf,
  type World,
  waysTaken,
} from '../../../../rehearsal/index.ts'
import { collect, moment } from '../../../arguments.ts'
import { checking } from '../../../exit-codes.ts'
import { readInput } from '../../../files.ts'
import { bold, dim, json as jsonText, linesText, plain } from '../../../print.ts'
import { withReach } from '../../../remote-command.ts'
import { type OfflineOptions, offlineCommand, offlineFolders } from '../offline.ts'
import { liveReads, type ReadOptions } from './live-reads.ts'

interface DryOptions extends OfflineOptions, ReadOptions {
  readonly alert: string
  readonly answers?: string
  readonly unbound: readonly string[]
  readonly now?: number
  readonly reads?: boolean
  readonly format: 'human' | 'json'
}

const nobody: Answers = { answer: () => null, verify: () => null }

/** Loads a playbook by its file, or by its name from the playbook folders. */
function playbookOf(world: World, given: string): Promise<FoundPlaybook> {
  return /\.ya?ml$/.test(given) ? loadPlaybook(world, given) : findPlaybook(world, given, '')
}

async function run(given: string, options: DryOptions): Promise<void> {
  const world = await openWorld(offlineFolders(options))
  const { plan, file } = await playbookOf(world, given)
  const slots = slotsOf(plan)
  const unknown = options.unbound.find((slot) => !Object.hasOwn(slots, slot))
  if (unknown !== undefined)
    throw new TocsinError('config_invalid', `--unbound: ${plan.name} has no slot "${unknown}". Its slots are ${Object.keys(slots).join(', ')}`)
  const dry = await dryRun(world, {
    plan,
    alert: alertIn(readInput(options.alert)),
    now: options.now ?? systemClock.now(),
    connections: Object.fromEntries(options.unbound.map((slot) => [slot, false as const])),
    given: options.answers === undefined ? nobody : await loadAnswers(world, options.answers),
    read: options.reads === true ? liveReads(plan, options) : null,
  })
  console.log(options.format === 'json' ? jsonText(json(dry)) : human(file, dry))
  process.exitCode = dry.outcome === 'failed' ? 1 : 0
}

function json(dry: DryRun): object {
  const { outcome, reason, failure, calls, inDoubt, vars, case: left, timeline, trace } = dry
  return {
    outcome,
    reason,
    error: failure && { code: failure.code, message: failure.message, step: failure.step },
    calls,
    decisions: dry.decisions.map(({ step, kind, title, state }) => ({ step, kind, title, state })),
    in_doubt: inDoubt,
    ways: waysTaken(trace).map(({ address, way }) => ({ step: address, way })),
    vars,
    case: {
      title: left.title,
      severity: left.severity,
      status: left.status,
      disposition: left.disposition,
      summary: left.summary,
      notes: timeline.flatMap(({ body }) => (body.kind === 'note' ? [body.text] : [])),
      findings: timeline.flatMap(({ body }) => (body.kind === 'finding' ? [{ title: body.title, risk: body.risk, evidence: body.evidence }] : [])),
    },
  }
}

const sources = { generated: 'answer generated', given: 'answer given', read: 'answer read' } as const

function callLines({ step, skill, impact, connection, input, answer }: DryCall): string[] {
  return [`  ${impact.padEnd(5)} ${step}  ${bold(skill)} ${dim(`(${connection}, ${sources[answer]})`)}`, `        ${plain(JSON.stringify(input))}`]
}

function human(file: string, dry: DryRun): string {
  const { outcome, reason, failure, calls, case: left, timeline, trace } = dry
  const generated = calls.filter(({ answer }) => answer === 'generated').length
  const asked = calls.some(({ answer }) => answer === 'read')
  const ways = waysTaken(trace).map(({ address, way }) => `  ${address}: ${way}`)
  const findings = timeline.flatMap(({ body }) =>
    body.kind === 'finding' ? [`  finding: ${body.title} (${body.risk})`] : body.kind === 'note' ? [`  note: ${body.text}`] : [],
  )
  return linesText([
    bold(`${file}: ${asked ? 'only reads were sent' : 'nothing was sent'}`),
    ...(calls.length === 0 ? ['  no calls'] : calls.flatMap(callLines)),
    '',
    bold('Branches taken'),
    ...(ways.length === 0 ? ['  none: the steps have no branches'] : ways),
    '',
    bold(`Outcome: ${outcome}${reason === null ? '' : `: ${plain(reason)}`}`),
    ...(failure ? [`  ${failure.code}: ${plain(failure.message)}${failure.step === null ? '' : ` (at ${failure.step})`}`] : []),
    `  case: ${plain(left.title)}; severity ${left.severity}, status ${left.status}, disposition ${left.disposition}`,
    ...findings.map(plain),
    ...(left.summary === null ? [] : [`  verdict: ${plain(left.summary)}`]),
    ...dry.decisions.map(
      ({ step, kind, title }) => `  ${step} asks people: ${plain(title)} ${dim(kind === 'approval' ? '(assumed to be approved)' : '(in doubt)')}`,
    ),
    ...(generated === 0
      ? []
      : [
          '',
          dim(
            `${generated} of ${calls.length} answers were generated from output schemas. A real run may take other branches. To give answers, use --answers.`,
          ),
        ]),
  ])
}

/** Adds `tocsin playbook dry-run`. */
export function dryRunCommand(playbook: Command): void {
  const command = withReach(
    offlineCommand(
      playbook,
      'dry-run <playbook>',
      'Show what a run for an alert would call, with rendered inputs. Calls nothing. Takes a file or the name of a playbook.',
    ),
    'for --reads: ',
  )
    .requiredOption('--alert <file>', 'a file with an alert, or with only the content of an alert; - for standard input')
    .option('--answers <file>', 'YAML file with answers by skill, as under `answers` in a test; missing answers are generated from output schemas')
    .option('--unbound <slot>', 'a slot without a connection; may be repeated', collect, [])
    .option('--now <time>', 'the start time of the run, in UTC if it has no zone (default: now)', moment)
    .option('--reads', 'send the calls that only read, over the connections of a running Tocsin; never sends writes')
    .option(
      '--connection <connection>',
      'for --reads: <slot>=<instance or id>, or one instance for all slots of its integration; may be repeated',
      collect,
      [],
    )
    .option('--organization <code>', 'for --reads: the organization of the connections')
    .addOption(new Option('--format <format>', 'output format').choices(['human', 'json']).default('human'))
    .addHelpText('after', '\nExit status: 0 if the run would succeed; 1 if it would fail; 2 if the command failed.')
  checking(command, run)
}
