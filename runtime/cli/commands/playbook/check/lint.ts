import { type Command, Option } from 'commander'
import { TocsinError } from '../../../../errors/index.ts'
import { applyFixes, lintFiles, lintWorld } from '../../../../playbook/authoring/index.ts'
import { type Finding, type LintWorld, type PlaybookFile, withPlaybooks } from '../../../../playbook/index.ts'
import { count } from '../../../arguments.ts'
import { checking } from '../../../exit-codes.ts'
import { writeOutput } from '../../../files.ts'
import { plain } from '../../../print.ts'
import { type OfflineOptions, offlineCommand, offlineFolders, offlinePlugins, offlineSources, readReadable } from '../offline.ts'
import { readConnections } from './connections-file.ts'
import { asJson, asSarif, asText, countOf, type Shown } from './formats/index.ts'

const formats = { human: asText, json: asJson, sarif: asSarif } as const

interface Options extends OfflineOptions {
  readonly connections?: string
  readonly fix?: boolean
  readonly format: keyof typeof formats
  readonly maxWarnings?: number
}

/** Adds `tocsin playbook lint`. */
export function lintCommand(playbook: Command): void {
  const command = offlineCommand(playbook, 'lint [paths...]', 'Find mistakes in playbooks, offline. Each mistake has its line and column.')
    .option('--connections <file>', 'connections to check slots and roles against, in the format of `connection list --json`')
    .option('--fix', 'apply the fixes that are certain; keeps comments and layout')
    .addOption(new Option('--format <format>', 'output format').choices(Object.keys(formats)).default('human'))
    .option('--max-warnings <number>', 'fail if there are more warnings than this', count)
    .addHelpText('after', '\nExit status: 0 if there are no errors; 1 if there are errors; 2 if the command failed.')
  checking(command, lint)
}

async function lint(paths: readonly string[], options: Options): Promise<void> {
  const folders = offlineFolders(options)
  const connections = options.connections === undefined ? null : readConnections(options.connections)
  const { read, unreadable } = await readReadable(paths, folders)
  if (read.length === 0 && unreadable !== null) throw unreadable
  if (read.length === 0)
    throw new TocsinError('file_unreadable', `There is no playbook in ${(paths.length > 0 ? paths : folders.playbooks).join(', ')}.`)
  const world = withPlaybooks(lintWorld(await offlinePlugins(folders), connections), await offlineSources(folders, read))
  const files = options.fix === true ? read.map((file, index) => fixed(file, read.toSpliced(index, 1), world)) : read
  const findings = lintFiles(files, world)
  const shown: Shown = { findings, texts: new Map(files.map(({ file, text }) => [file, text])) }
  console.log(formats[options.format](shown))
  if (unreadable !== null) throw unreadable
  process.exitCode = statusOf(findings, options.maxWarnings)
}

function statusOf(findings: readonly Finding[], maxWarnings = Number.POSITIVE_INFINITY): number {
  return countOf(findings, 'error') > 0 || countOf(findings, 'warning') > maxWarnings ? 1 : 0
}

/** Applies the fixes, writes the file if it changed, and lists the fixes on standard error: standard output is for the findings. */
function fixed({ file, text }: PlaybookFile, others: readonly PlaybookFile[], world: LintWorld): PlaybookFile {
  const own = (current: string): readonly Finding[] => lintFiles([...others, { file, text: current }], world).filter((found) => found.file === file)
  const result = applyFixes(text, own)
  for (const { finding, fix } of result.applied) console.error(`${plain(file)}:${finding.line}:${finding.column} ${fix.title} [${finding.code}]`)
  if (result.text !== text) writeOutput(file, result.text)
  return { file, text: result.text }
}
