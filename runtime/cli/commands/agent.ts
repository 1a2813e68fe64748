import { type Command, InvalidArgumentError } from 'commander'
import { agentOptions } from '../../relay/agent/index.ts'
import { writeAgent } from '../agent-program.ts'
import { type Answer, findTarget, request } from '../client.ts'
import { plain, time } from '../print.ts'
import { remoteCommand, type Shared, show, showList } from '../remote-command.ts'

interface CreateOptions extends Shared {
  readonly organization?: string
}

interface Address {
  readonly host: string
  readonly port: number
}

function pathOf(id: string, ...more: readonly string[]): string {
  return ['/platformapi/agents', ...[id, ...more].map(encodeURIComponent)].join('/')
}

function address(text: string): Address {
  const found = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text)
  if (!found) throw new InvalidArgumentError('It must be host:port, such as crm.example.com:443 or [fd00::1]:443.')
  return { host: found[1] ?? found[2] ?? '', port: Number(found[3]) }
}

const columns = {
  ID: (item: Answer) => item['id'],
  NAME: (item: Answer) => item['name'],
  ORGANIZATION: (item: Answer) => item['organization_code'] ?? "(the operator's)",
  STATE: (item: Answer) => item['state'],
  VERSION: (item: Answer) => item['version'] ?? '',
  SINCE: (item: Answer) => time(item['online_since'] ?? item['last_seen_at']),
  STREAMS: (item: Answer) => item['streams'],
  'SENT/RECEIVED': (item: Answer) => `${plain(item['bytes_sent'])}/${plain(item['bytes_received'])}`,
  'ROUND TRIP': (item: Answer) => (typeof item['round_trip'] === 'number' ? `${Math.round(item['round_trip'])} ms` : ''),
  CONNECTIONS: (item: Answer) => (item['connections'] as Answer[]).map((connection) => plain(connection['instance'])).join(', '),
  'LAST ERROR': (item: Answer) => item['last_error'] ?? '',
}

/** The commands for where the agent runs. They talk to no API. */
function localCommands(agent: Command): void {
  const run = agent.command('run').description('Run a remote agent here. See docs/guides/remote-agent.md.')
  for (const [name, { variable, value, help }] of Object.entries(agentOptions)) run.option(`--${name} ${value}`, `${help} (${variable})`)
  agent
    .command('bundle <file>')
    .description('Write the remote agent as one file of JavaScript, which needs Node 24 and nothing else.')
    .action(async (file: string) => {
      await writeAgent(file)
      console.log(`wrote ${file}`)
    })
}

/** `tocsin agent`. */
export function agentCommand(program: Command): void {
  const agent = program.command('agent').description('Remote agents: reach systems that only a customer can reach.')
  localCommands(agent)
  remoteCommand(agent, 'create <name>', 'Create a remote agent, and show its enrolment token once.')
    .option('--organization <code>', "its organization; without it, it is the operator's, for connections that all organizations share")
    .action(async (name: string, options: CreateOptions) => {
      const body = { name, organization_code: options.organization ?? null }
      show(await request(findTarget(options), 'POST', '/platformapi/agents', body), options)
    })
  remoteCommand(agent, 'list', 'List remote agents, newest first.').action((options: Shared) =>
    showList(options, '/platformapi/agents', columns, Number.POSITIVE_INFINITY),
  )
  remoteCommand(agent, 'show <id>', 'Show a remote agent.').action(async (id: string, options: Shared) =>
    show(await request(findTarget(options), 'GET', pathOf(id)), options),
  )
  remoteCommand(agent, 'revoke <id>', 'Revoke a remote agent, and cut it off at once.').action(async (id: string, options: Shared) => {
    const revoked = await request(findTarget(options), 'DELETE', pathOf(id))
    if (options.json) show(revoked, options)
    else console.log(`revoked ${plain(revoked['name'])} (${id})`)
  })
  remoteCommand(agent, 'check <id> <host:port>', 'Have a remote agent connect to a host. Fails unless it can.').action(
    async (id: string, target: string, options: Shared) => {
      const answer = await request(findTarget(options), 'POST', pathOf(id, 'check'), address(target))
      show(answer, options)
      if (answer['ok'] !== true) process.exitCode = 1
    },
  )
}
