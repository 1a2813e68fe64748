import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { messageOf, TocsinError } from '../errors/index.ts'
import { type Answer, findTarget, request } from './client.ts'
import { remoteCommand, type Shared, show, showList } from './command.ts'
import { time } from './print.ts'

interface CreateOptions extends Shared {
  readonly integration: string
  readonly organization?: string
  readonly description?: string
  readonly credentials: string
  readonly default?: boolean
}

/** Credentials come from a file or standard input, never from an argument: arguments are seen by every user of the machine. */
function readCredentials(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'))
  } catch (error) {
    throw new TocsinError('file_unreadable', `${file}: ${messageOf(error)}`)
  }
}

export function connectionCommand(program: Command): void {
  const connection = program.command('connection').description('Create, list and remove connections.')
  remoteCommand(connection, 'create <instance>', 'Create a connection.')
    .requiredOption('--integration <id>', 'which plugin')
    .requiredOption('--credentials <file>', 'JSON object of the credential fields; - for standard input')
    .option('--organization <code>', 'who owns it; without it the connection is shared with every organization')
    .option('--description <text>', 'purpose and environment')
    .option('--default', "the organization's choice where it has several of the integration")
    .action(async (instance: string, options: CreateOptions) => {
      const body = {
        instance,
        integration: options.integration,
        organization_code: options.organization ?? null,
        description: options.description ?? '',
        credentials: readCredentials(options.credentials),
        is_default: options.default ?? false,
      }
      show(await request(findTarget(options), 'POST', '/platformapi/connections', body), options)
    })
  remoteCommand(connection, 'list', 'List connections, without their secrets.').action((options: Shared) => {
    const columns = {
      ID: (item: Answer) => item['id'],
      INSTANCE: (item: Answer) => item['instance'],
      INTEGRATION: (item: Answer) => item['integration'],
      ORGANIZATION: (item: Answer) => item['organization_code'] ?? '(shared)',
      EXPIRES: (item: Answer) => time(item['expires_at']),
    }
    return showList(options, '/platformapi/connections', columns, Number.POSITIVE_INFINITY)
  })
  remoteCommand(connection, 'remove <id>', 'Remove a connection with its secrets.').action(async (id: string, options: Shared) => {
    await request(findTarget(options), 'DELETE', `/platformapi/connections/${encodeURIComponent(id)}`)
    console.log(`removed ${id}`)
  })
}
