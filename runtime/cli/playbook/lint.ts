import { writeFileSync } from 'node:fs'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { TocsinError } from '../../errors/index.ts'
import { applyFixes, type Finding, type LintWorld, lintFiles, lintWorld, type PlaybookFile, withPlaybooks } from '../../playbook/index.ts'
import { explainFailure } from '../failure.ts'
import { plain } from '../print.ts'
import { readConnections } from './connections-file.ts'
import { countOf, type Shown } from './formats/format.ts'
import { asText } from './formats/human.ts'
import { asJson } from './formats/json.ts'
import { asSarif } from './formats/sarif.ts'
import { type OfflineOptions, offlineCommand, offlineConfig, offlinePlugins, offlineSources, readPlaybooks } from './offline.ts'

const formats = { human: asText, json: asJson, sarif: asSarif } as const

interface Options extends OfflineOptions {
  readonly connections?: string
  readonly fix?: boolean
  readonly format: keyof typeof formats
  readonly maxWarnings?: number
}

export function lintCommand(playbook: Command): void {
  offlineCommand(playbook, 'lint [paths...]', 'Find what is wrong with playbooks before they run, offline: every mistake with its line and column.')
    .option('--connections <file>', 'the connections to check slots and roles against, as `connection list --json` prints them')
    .option('--fix', 'put right what can be put right without doubt; comments and layout stay')
    .addOption(new Option('--format <format>', 'how findings are shown').choices(Object.keys(formats)).default('human'))
    .option('--max-warnings <number>', 'fail when there are more warnings than this', amount)
    .addHelpText('after', '\nExit status: 0 nothing, or warnings only; 1 errors; 2 it could not look.')
    .action(async (paths: readonly string[], options: Options) => {
      try {
        process.exitCode = await lint(paths, options)
      } catch (error) {
        console.error(explainFailure(error))
        process.exitCode = 2
      }
    })
}

function amount(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a number.')
  return Number(text)
}

/** @returns the exit status */
async function lint(paths: readonly string[], options: Options): Promise<number> {
  const config = offlineConfig(options)
  const connections = options.connections === undefined ? null : readConnections(options.connections)
  const read = await readPlaybooks(paths, config)
  if (read.length === 0)
    throw new TocsinError('file_unreadable', `There is no playbook in ${(paths.length > 0 ? paths : config.playbooks).join(', ')}.`)
  const world = withPlaybooks(lintWorld(await offlinePlugins(config), connections), await offlineSources(config, read))
  const files = options.fix === true ? read.map((file, index) => fixed(file, read.toSpliced(index, 1), world)) : read
  const findings = lintFiles(files, world)
  const shown: Shown = { findings, texts: new Map(files.map(({ file, text }) => [file, text])) }
  console.log(formats[options.format](shown))
  return statusOf(findings, options.maxWarnings)
}

function statusOf(findings: readonly Finding[], maxWarnings = Number.POSITIVE_INFINITY): number {
  return countOf(findings, 'error') > 0 || countOf(findings, 'warning') > maxWarnings ? 1 : 0
}

/** Writes the file if anything was put right, and says what on standard error: standard output is the findings'. */
function fixed({ file, text }: PlaybookFile, others: readonly PlaybookFile[], world: LintWorld): PlaybookFile {
  const own = (current: string): readonly Finding[] => lintFiles([...others, { file, text: current }], world).filter((found) => found.file === file)
  const result = applyFixes(text, own)
  for (const { finding, fix } of result.applied) console.error(`${plain(file)}:${finding.line}:${finding.column} ${fix.title} [${finding.code}]`)
  if (result.text !== text) writeFileSync(file, result.text)
  return { file, text: result.text }
}
