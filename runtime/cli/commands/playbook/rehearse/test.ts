import { dirname, resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Folders, systemClock } from '../../../../config/index.ts'
import { messageOf, TocsinError } from '../../../../errors/index.ts'
import { Coverage, loadTestFile, openWorld, runTest, type TestResult, type World } from '../../../../rehearsal/index.ts'
import { checking } from '../../../exit-codes.ts'
import { writeOutput } from '../../../files.ts'
import { type OfflineOptions, offlineCommand, offlineFolders } from '../offline.ts'
import { testFiles } from './test-files.ts'
import { type FileReport, humanReport, jsonReport, junitReport, type Report, tallyOf } from './test-report/index.ts'
import { watchFolders } from './watch.ts'

const reporters = { human: humanReport, json: jsonReport, junit: junitReport } as const

interface TestOptions extends OfflineOptions {
  readonly filter?: string
  readonly coverage?: boolean
  readonly minCoverage?: number
  readonly watch?: boolean
  readonly format: keyof typeof reporters
  readonly output?: string
}

function percent(text: string): number {
  const value = Number(text)
  if (!/^\d{1,3}(\.\d+)?$/.test(text) || value > 100) throw new InvalidArgumentError('It must be a number from 0 to 100.')
  return value
}

async function runFile(world: World, file: string, filter: string): Promise<FileReport> {
  try {
    const tests = await loadTestFile(world, file)
    const coverage = new Coverage(tests.playbook.plan)
    const results: TestResult[] = []
    for (const test of tests.tests) {
      if (!test.name.toLowerCase().includes(filter)) continue
      const result = await runTest(world, tests, test, () => performance.now())
      if (result.rehearsed) coverage.add(result.rehearsed.trace)
      results.push(result)
    }
    return { file, tests, results, coverage }
  } catch (error) {
    return { file, error }
  }
}

async function runAll(paths: readonly string[], folders: Folders, options: TestOptions): Promise<Report> {
  const world = await openWorld(folders)
  const filter = (options.filter ?? '').toLowerCase()
  const files: FileReport[] = []
  for (const file of await testFiles(paths)) files.push(await runFile(world, file, filter))
  const chosen = files.filter((file) => 'error' in file || file.results.length > 0)
  if (chosen.length === 0) throw new TocsinError('config_invalid', `--filter: no test has "${options.filter}" in its name.`)
  const least = options.minCoverage ?? null
  return { files: chosen, covering: options.coverage === true || least !== null, least }
}

function show(report: Report, { format, output }: TestOptions): void {
  const made = reporters[format](report)
  const text = made.endsWith('\n') ? made : `${made}\n`
  if (output === undefined) return void process.stdout.write(text)
  writeOutput(output, text)
  if (format !== 'human') console.log(humanReport(report))
}

async function once(paths: readonly string[], folders: Folders, options: TestOptions): Promise<void> {
  const report = await runAll(paths, folders, options)
  show(report, options)
  const { failed, broken, uncovered } = tallyOf(report)
  process.exitCode = failed + broken + uncovered > 0 ? 1 : 0
}

async function test(given: readonly string[], options: TestOptions): Promise<void> {
  const folders = offlineFolders(options)
  const paths = given.length > 0 ? given : folders.playbooks
  await once(paths, folders, options)
  if (!options.watch) return
  const places = [...(await testFiles(paths)).map((file) => dirname(resolve(file))), ...folders.playbooks, ...folders.plugins]
  watchFolders(places, systemClock, async () => {
    console.log('')
    await once(paths, folders, options).catch((error: unknown) => console.error(messageOf(error)))
  })
}

/** Adds `tocsin playbook test`. */
export function testCommand(playbook: Command): void {
  const command = offlineCommand(
    playbook,
    'test [paths...]',
    'Run the tests of playbooks offline: <playbook>.test.yaml files, folders of them, or playbooks that have one beside them.',
  )
    .option('--filter <text>', 'only tests with this text in their name; ignores case')
    .option('--coverage', 'list the branches that no test takes')
    .option('--min-coverage <percent>', 'fail if the tests take less than this share of the branches of a playbook', percent)
    .option('--watch', 'run again whenever a playbook, a test or a plugin changes')
    .addOption(new Option('--format <format>', 'output format').choices(Object.keys(reporters)).default('human'))
    .option('--output <file>', 'write the report to a file')
  checking(command, test)
}
