import type { Command } from 'commander'
import { messageOf, TocsinError } from '../../errors/index.ts'
import { moment } from '../arguments.ts'
import { type Answer, findTarget, request } from '../client.ts'
import { readInput } from '../files.ts'
import { connectionPath, findConnection } from '../find-connection.ts'
import { linesText, plain, time } from '../print.ts'
import { remoteCommand, type Shared, show, showList } from '../remote-command.ts'

/** The options that set fields of a connection. Credentials come from a file or standard input: every user of the machine can see arguments. */
interface Entered {
  readonly description?: string
  readonly credentials?: string
  readonly paste?: string
  readonly default?: boolean
  readonly slot?: readonly string[] | false
  readonly expires?: number | false
  readonly role?: string | false
  readonly remoteAgent?: string | false
}

interface CreateOptions extends Shared, Entered {
  readonly integration: string
  readonly organization?: string
}

interface UpdateOptions extends Shared, Entered {
  readonly organization?: string
  readonly instance?: string
}

interface ListOptions extends Shared {
  readonly organization?: string
  readonly integration?: string
}

function readCredentials(file: string): unknown {
  const text = readInput(file)
  try {
    return JSON.parse(text)
  } catch (error) {
    // Not the parser's own message: it repeats a part of the text, which holds secrets.
    const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(messageOf(error)) ?? []
    const where = line === undefined ? '' : ` (line ${line}, column ${column})`
    throw new TocsinError('file_unreadable', `${file} is not JSON${where}. It must be one JSON object with the credential fields.`, [], {
      remedy: 'Look for a missing quote, a missing comma, or a comma too many, there or just before.',
    })
  }
}

/** Returns the fields that the options set. `--no-…` clears a field. */
function enteredBody({ description, credentials, paste, default: isDefault, slot, expires, role, remoteAgent }: Entered): Answer {
  return {
    ...(description !== undefined && { description }),
    ...(credentials !== undefined && { credentials: readCredentials(credentials) }),
    ...(paste !== undefined && { paste: readInput(paste) }),
    ...(isDefault !== undefined && { is_default: isDefault }),
    ...(slot !== undefined && { slots: slot === false ? [] : slot }),
    ...(expires !== undefined && { expires_at: expires === false ? null : expires }),
    ...(role !== undefined && { role: role === false ? null : role }),
    ...(remoteAgent !== undefined && { remote_agent: remoteAgent === false ? null : remoteAgent }),
  }
}

function withEntered(command: Command): Command {
  return command
    .option('--credentials <file>', 'JSON object of the credential fields; - for standard input')
    .option('--paste <file>', 'a file with credentials as the vendor provides it, if the integration can read one; - for standard input')
    .option('--description <text>', 'purpose and environment')
    .option('--default', 'use this one if the organization has several connections of the integration')
    .option('--slot <playbook.slot...>', 'slots of playbooks that use this connection first')
    .option('--expires <date>', 'when the credentials expire, in UTC if it has no zone', moment)
    .option('--role <role>', 'the role of the credentials; skills that need a higher role are refused')
    .option('--remote-agent <name>', 'the remote agent that reaches the system; calls never go around it')
}

function changeCommands(connection: Command): void {
  const update = remoteCommand(connection, 'update <connection>', 'Change a connection, named by its instance name or id.')
  withEntered(update)
    .option('--organization <code>', 'the organization of the connection, if several have this name')
    .option('--instance <name>', 'a new instance name')
    .option('--no-default', 'make it no longer the default')
    .option('--no-slot', 'clear the slots')
    .option('--no-expires', 'clear the expiry')
    .option('--no-role', 'clear the role')
    .option('--no-remote-agent', 'clear the remote agent')
    .action(async (name: string, options: UpdateOptions) => {
      const target = findTarget(options)
      const change = { ...enteredBody(options), ...(options.instance !== undefined && { instance: options.instance }) }
      const { id, revision } = await findConnection(target, name, narrow(options))
      show(await request(target, 'PATCH', connectionPath(id), { revision, ...change }), options)
    })
  remoteCommand(connection, 'test <connection>', 'Test the credentials of a connection, named by its instance name or id.')
    .option('--organization <code>', 'the organization of the connection, if several have this name')
    .action(async (name: string, options: ListOptions) => {
      const target = findTarget(options)
      const { id } = await findConnection(target, name, narrow(options))
      const result = await request(target, 'POST', `${connectionPath(id)}/test`)
      if (options.json) show(result, options)
      else console.log(testText(name, result))
      if (result['ok'] !== true) process.exitCode = 1
    })
}

function removeCommand(connection: Command): void {
  remoteCommand(connection, 'remove <connection>', 'Remove a connection with its secrets, named by its instance name or id.')
    .option('--organization <code>', 'the organization of the connection, if several have this name')
    .action(async (name: string, options: ListOptions) => {
      const target = findTarget(options)
      const found = await findConnection(target, name, narrow(options))
      await request(target, 'DELETE', connectionPath(found['id']))
      if (options.json) return show(found, options)
      const owner = found['organization_code'] ?? 'shared by all organizations'
      console.log(`removed ${plain(found['instance'])} (${plain(found['integration'])}, ${plain(owner)}; id ${plain(found['id'])})`)
    })
}

/** Returns the result of a test, for people. Says first whether the connection works: an odd status may be what the test expects. */
function testText(name: string, { ok, status, code, cause, remedy, reachable, reachable_note: note, role, checked_at: at }: Answer): string {
  const answered = status === null ? 'the external system did not answer' : `the external system answered with status ${plain(status)}`
  const verdict = ok === true ? `works: ${answered}, as this test expects.` : `does not work: ${plain(code)}; ${answered}.`
  return linesText([
    `${plain(name)} ${verdict}`,
    ...(ok === true && code !== null ? [`  note:      ${plain(code)}`] : []),
    ...(cause === null ? [] : [`  cause:     ${plain(cause)}`]),
    ...(remedy === null ? [] : [`  remedy:    ${plain(remedy)}`]),
    ...(reachable === null ? [] : [`  reachable: ${reachable === true ? 'yes' : 'no'}${note === null ? '' : ` (${plain(note)})`}`]),
    ...(role === null ? [] : [`  role:      ${plain(role)}`]),
    `  tested:    ${time(at)}`,
  ])
}

function narrow({ organization }: { readonly organization?: string }): { readonly organization?: string } {
  return organization === undefined ? {} : { organization }
}

export function connectionCommand(program: Command): void {
  const connection = program.command('connection').description('Create, list, change, test and remove connections.')
  withEntered(remoteCommand(connection, 'create <instance>', 'Create a connection. Its credentials come from --credentials, --paste or both.'))
    .requiredOption('--integration <id>', 'the integration, by the id of its plugin')
    .option('--organization <code>', 'the owner; without it, all organizations share the connection')
    .action(async (instance: string, options: CreateOptions) => {
      const body = { instance, integration: options.integration, organization_code: options.organization ?? null, ...enteredBody(options) }
      show(await request(findTarget(options), 'POST', '/platformapi/connections', body), options)
    })
  remoteCommand(connection, 'list', 'List connections, without their secrets.')
    .option('--organization <code>', 'only connections of this organization')
    .option('--integration <id>', 'only connections of this integration')
    .action((options: ListOptions) => {
      const query = new URLSearchParams()
      for (const name of ['organization', 'integration'] as const) if (options[name] !== undefined) query.set(name, options[name])
      const columns = {
        ID: (item: Answer) => item['id'],
        INSTANCE: (item: Answer) => item['instance'],
        INTEGRATION: (item: Answer) => item['integration'],
        ORGANIZATION: (item: Answer) => item['organization_code'] ?? '(shared)',
        EXPIRES: (item: Answer) => `${time(item['expires_at'])}${item['expired'] === true ? ' (expired)' : ''}`,
        'LAST TEST': (item: Answer) => lastTest(item['last_test'] as Answer | null),
      }
      return showList(options, `/platformapi/connections${query.size > 0 ? `?${query}` : ''}`, columns, Number.POSITIVE_INFINITY)
    })
  changeCommands(connection)
  removeCommand(connection)
}

function lastTest(test: Answer | null): string {
  return test === null ? '' : `${test['ok'] === true ? 'ok' : String(test['code'])} ${time(test['checked_at'])}`
}
