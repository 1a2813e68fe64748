import type { Command } from 'commander'
import { TocsinError } from '../../../../errors/index.ts'
import { readPlaybook } from '../../../../playbook/index.ts'
import { isTestFile } from '../../../../rehearsal/index.ts'
import { count } from '../../../arguments.ts'
import { findTarget, request } from '../../../client.ts'
import { json as jsonText, plain } from '../../../print.ts'
import { remoteCommand, type Shared } from '../../../remote-command.ts'
import { filesAt } from '../offline.ts'
import { activationText } from './activation-text.ts'
import { ofPlace, type PlaceOptions, placeBody, placePath, placeQuery } from './place.ts'
import { digestNamed } from './versions.ts'

interface ActivateOptions extends Shared {
  readonly organization?: string
  readonly revision?: number
  readonly check?: boolean
}

interface RollbackOptions extends PlaceOptions {
  readonly revision?: number
  readonly check?: boolean
}

const revisionFlag = ['--revision <number>', 'only if this is the current revision (0: there is none)', count] as const
const checkFlag = ['--check', 'check everything and change nothing'] as const

/** Adds `tocsin playbook activate`. */
export function activateCommand(playbook: Command): void {
  remoteCommand(
    playbook,
    'activate <files...>',
    'Activate playbook files on a running Tocsin, for the alert types or names in them. Skips tests (*.test.yaml).',
  )
    .option('--organization <code>', 'only for this organization (default: shared by all)')
    .option(...revisionFlag)
    .option(...checkFlag)
    .action(async (files: readonly string[], options: ActivateOptions) => {
      await send(withoutTests(files), options, false)
    })
}

/** Adds `tocsin playbook import`. */
export function importCommand(playbook: Command): void {
  remoteCommand(
    playbook,
    'import <paths...>',
    'Import playbook folders into a running Tocsin. Keeps playbooks that somebody edited or withdrew there.',
  )
    .option('--organization <code>', 'only for this organization (default: shared by all)')
    .option(...checkFlag)
    .action(async (paths: readonly string[], options: ActivateOptions) => {
      await send((await Promise.all(paths.map(filesAt))).flat(), options, true)
    })
}

/** Leaves out tests, because `activate *.yaml` names them, too. @throws TocsinError `file_unreadable` if only tests are named */
function withoutTests(files: readonly string[]): readonly string[] {
  const [tests, playbooks] = [files.filter(isTestFile), files.filter((file) => !isTestFile(file))]
  if (playbooks.length === 0) throw new TocsinError('file_unreadable', `There are only playbook tests (${tests.join(', ')}) and no playbook.`)
  // On standard error, so that people see it even if standard output goes elsewhere.
  if (tests.length > 0) console.error(`Skipped, because they are tests: ${tests.map(plain).join(', ')}`)
  return playbooks
}

/** Sends all files in one request, so that playbooks and their sub-playbooks are checked and activated together. */
async function send(files: readonly string[], options: ActivateOptions, keepEdits: boolean): Promise<void> {
  const { organization, revision, check, json } = options
  const target = findTarget(options)
  const playbooks = await Promise.all(files.map(async (file) => ({ file, text: await readPlaybook(file) })))
  const base = { playbooks, ...(organization !== undefined && { organization_code: organization }), ...(keepEdits && { keep_edits: true }) }
  const revisions = revision === undefined ? {} : { revisions: await expectedOf(base, revision) }
  const answer = await request(target, 'POST', '/platformapi/playbooks', { ...base, ...revisions, ...(check && { check }) })
  console.log(json ? jsonText(answer) : activationText(answer))

  /** Expects this revision for every alert type and name in the files. */
  async function expectedOf(body: object, expected: number): Promise<Readonly<Record<string, number>>> {
    const tried = await request(target, 'POST', '/platformapi/playbooks', { ...body, check: true })
    const places = (tried['playbooks'] as readonly { readonly places: readonly { readonly key: string }[] }[]).flatMap((each) => each.places)
    return Object.fromEntries(places.map(({ key }) => [key, expected]))
  }
}

/** Adds `tocsin playbook rollback`. */
export function rollbackCommand(playbook: Command): void {
  ofPlace(remoteCommand(playbook, 'rollback <type> <version>', 'Activate an earlier version of a playbook again, by revision or digest.'))
    .option(...revisionFlag)
    .option(...checkFlag)
    .action(async (type: string, version: string, options: RollbackOptions) => {
      const target = findTarget(options)
      const { revision, check } = options
      const digest = await digestNamed(target, type, options, version)
      const body = { digest, ...placeBody(options), ...(revision !== undefined && { revision }), ...(check && { check }) }
      const answer = await request(target, 'POST', placePath(type, '/rollback'), body)
      console.log(options.json ? jsonText(answer) : activationText(answer))
    })
}

/** Adds `tocsin playbook withdraw`. */
export function withdrawCommand(playbook: Command): void {
  ofPlace(
    remoteCommand(
      playbook,
      'withdraw <type>',
      'Withdraw the playbook of an alert type. The next one in order replaces it, for example the shared one.',
    ),
  )
    .option(...revisionFlag)
    .action(async (type: string, options: RollbackOptions) => {
      const { revision } = options
      const query = placeQuery(options, { revision: revision === undefined ? undefined : String(revision) })
      await request(findTarget(options), 'DELETE', placePath(type, query))
      console.log(options.json ? '{}' : `withdrawn: ${type}`)
    })
}
