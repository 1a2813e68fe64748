/**
 * `tocsin run`: list and show runs, cancel them, undo what they wrote, record tests from them, and make evidence of them.
 * `evidence.ts`, `show.ts` and `undo.ts` hold larger subcommands.
 */
import { type Command, Option } from 'commander'
import { systemClock } from '../../../config/index.ts'
import { openWorld, recordTest } from '../../../rehearsal/index.ts'
import { collect, count } from '../../arguments.ts'
import { type Answer, findTarget, request } from '../../client.ts'
import { refuseExisting, writeOutput } from '../../files.ts'
import { bold, json as jsonText, raw, table, time } from '../../print.ts'
import { remoteCommand, type Shared } from '../../remote-command.ts'
import { fetchRecording, listRuns, type RunFilter } from '../../run-recordings.ts'
import { runText } from '../../views/index.ts'
import { type OfflineOptions, offlineFolders } from '../playbook/offline.ts'
import { checkEvidence, makeEvidence } from './evidence.ts'
import { showRun } from './show.ts'
import { undoRun } from './undo.ts'

async function list(options: Shared & RunFilter): Promise<void> {
  const runs = await listRuns(findTarget(options), options, systemClock.now())
  if (options.json) return console.log(jsonText(runs))
  const columns = ['RUN', 'PLAYBOOK', 'STATE', 'ORGANIZATION', 'CASE', 'STARTED', 'ERROR']
  const rows = runs.map((run) => [
    run['run_id'],
    run['playbook'],
    run['state'],
    run['organization_code'],
    run['case_id'],
    time(run['started_at']),
    (run['error'] as Answer | null)?.['code'] ?? '',
  ])
  console.log(table(columns, rows))
}

async function cancelRun(id: string, { reason, ...options }: Shared & { readonly reason?: string }): Promise<void> {
  const path = `/platformapi/runs/${encodeURIComponent(id)}/cancel`
  const run = await request(findTarget(options), 'POST', path, { ...(reason !== undefined && { reason }) })
  console.log(options.json ? jsonText(run) : runText(run))
}

interface RecordOptions extends Shared, OfflineOptions {
  readonly output?: string
  readonly keep: readonly string[]
  readonly force?: boolean
}

async function record(id: string, options: RecordOptions): Promise<void> {
  const { output } = options
  refuseExisting(output, options.force)
  const recording = await fetchRecording(findTarget(options), id)
  const { text, playbook, replaced } = await recordTest(await openWorld(offlineFolders(options)), recording, options.keep)
  if (output === undefined) return void process.stdout.write(raw(text))
  writeOutput(output, text)
  console.log(`${bold(output)}: a passing test of ${playbook}, with ${replaced} values replaced. Read it before you share it.`)
}

export function runCommand(program: Command): void {
  const run = program.command('run').description('List, show, cancel and undo runs, record tests from them, and make signed evidence.')
  remoteCommand(run, 'list', 'List runs, newest first.')
    .option('--since <time>', 'only runs that began within a duration such as 7d, or after a time (UTC if it has no zone)')
    .option('--playbook <name>', 'only runs of this playbook')
    .option('--alert-type <type>', 'only runs for alerts of this type')
    .option('--organization <code>', 'only runs of this organization')
    .option('--state <state>', 'only runs in this state: running, waiting, completed, failed')
    .option('--limit <number>', 'at most this many', count, 50)
    .action(list)
  remoteCommand(run, 'show <run>', 'Show a run: its state, what it waits for, and why each step did what it did.')
    .option('--steps', 'only the steps, with inputs, outputs and conditions')
    .option('--within <step>', 'only this step and the steps inside it')
    .option('--failed', 'only steps that failed, are in doubt, or did not end')
    .option('--all', 'every iteration of loops, including those that repeat an earlier one')
    .option('--limit <number>', 'at most this many steps', count, 200)
    .option('--step <address>', 'one step only, with longer values')
    .addOption(new Option('--value <part>', 'with --step: print one whole value as JSON').choices(['input', 'output']))
    .action(showRun)
  remoteCommand(
    run,
    'cancel <run>',
    'Cancel a run. It starts no more steps. A write that has been sent finishes, and a write in doubt is settled first.',
  )
    .option('--reason <text>', 'the reason, shown in the case')
    .action(cancelRun)
  remoteCommand(run, 'undo <run>', 'Undo what a run wrote, newest write first. Shows the plan and what cannot be undone, asks, and follows the undo.')
    .option('--reason <text>', 'the reason, shown in the case')
    .option('--plan', 'only show the plan, or what was undone')
    .option('--uncertain', 'also undo writes whose answer was lost, and which may have changed nothing')
    .option('-y, --yes', 'do not ask')
    .action(undoRun)
  remoteCommand(
    run,
    'record <run>',
    'Record a test from a run. Replaces addresses, names, ids and secrets. Fails unless the test passes and takes the same path as the run.',
  )
    .option('-o, --output <file>', 'where to write it (default: standard output)')
    .option('--force', 'replace an existing file')
    .option('--keep <text>', 'keep this text as it is; may be repeated', collect, [])
    .option('--plugins <folders>', 'folders of plugins, separated by commas (TOCSIN_PLUGINS)')
    .option('--playbooks <folders>', 'folders of playbooks, separated by commas (TOCSIN_PLAYBOOKS)')
    .action(record)
  remoteCommand(run, 'evidence <run>', 'Make signed evidence of a run: what it wrote, who approved what, and with which code.')
    .option('-o, --output <file>', 'where to write it (default: standard output)')
    .option('--force', 'replace an existing file')
    .action(makeEvidence)
  remoteCommand(run, 'verify <file>', 'Check signed evidence of a run (- for standard input), and show what it says.')
    .option('--signer <key>', 'the id of the key that must have signed it; then no server is asked (default: any key of this installation)')
    .action(checkEvidence)
}
