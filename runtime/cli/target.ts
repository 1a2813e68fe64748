import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { certificates, settings } from '../config/index.ts'
import { TocsinError } from '../errors/index.ts'
import { type RunningServer, runningServers } from '../running/index.ts'
import { checkedAddress, checkedKey, portOf } from './target-parts.ts'

/** The Tocsin that a command talks to, and the key that it uses. */
export interface Target {
  readonly url: string
  readonly key: string
  /** Authorities to trust in addition, in PEM. Only for https. */
  readonly ca?: readonly string[]
}

/** The options that name a running Tocsin. */
export interface Reach {
  readonly url?: string
  /** The port of a server on this machine. */
  readonly port?: number
  /** The data folder of a server on this machine. */
  readonly data?: string
  readonly key?: string
}

/**
 * Finds the address and the key.
 *
 * Address: `--url`, else the server on this machine that `--port` and `--data` name, else TOCSIN_URL, else TOCSIN_PORT on this machine, else the
 * server that runs on this machine. If several run, the one with the data folder TOCSIN_DATA or ./data. Key: `--key`, else TOCSIN_API_KEY, else
 * TOCSIN_ADMIN_KEY, else the admin key that this server wrote at its first start.
 * With an https address, TOCSIN_CA_FILE names authorities to trust in addition.
 * @throws TocsinError `config_invalid` if the key, the address or TOCSIN_CA_FILE cannot be one, if there is no key, if no server fits the options,
 * or if several servers run and none of them has the folder of TOCSIN_DATA
 */
export function findTarget(options: Reach, environment: NodeJS.ProcessEnv = process.env): Target {
  const servers = runningServers(environment)
  const data = resolve(options.data ?? (environment[settings.data.variable] || settings.data.fallback || '.'))
  const { address, server } = find(options, servers, data, environment)
  const url = checkedAddress(address)
  const trusted = url.startsWith('https:') ? certificates(environment[settings.caFile.variable] || null) : []
  const base = { url, ...(trusted.length > 0 && { ca: trusted }) }
  if (options.key !== undefined) return { ...base, key: checkedKey(options.key) }
  const named = environment['TOCSIN_API_KEY']?.trim() || environment[settings.adminKey.variable]
  const key = named || (server && keyIn(server.data)) || keyIn(data)
  if (key) return { ...base, key: checkedKey(key) }
  const noKey = `There is no API key for ${url}: ${join(server?.data ?? data, 'admin.key')} cannot be read.`
  const asOwner = 'run this command as the user who runs Tocsin, with its data folder as --data.'
  // The first start on this machine writes the key shortly before it listens.
  const start = 'If Tocsin does not run yet, start it with `tocsin up`, and wait until it says that it listens. Otherwise '
  throw new TocsinError('config_invalid', server ? noKey : `${noKey} No Tocsin that listens there runs on this machine as this user.`, [], {
    remedy: server ? `Give --key or set TOCSIN_API_KEY. Or ${asOwner}` : `${start}give --key or set TOCSIN_API_KEY, or ${asOwner}`,
  })
}

/** An address, and the server on this machine that listens there. Null: no server is known to. */
interface Found {
  readonly address: string
  readonly server: RunningServer | null
}

function find({ url, port, data: asked }: Reach, servers: readonly RunningServer[], data: string, environment: NodeJS.ProcessEnv): Found {
  if (url !== undefined) return at(url, servers)
  if (asked !== undefined) {
    const server = servers.find((each) => each.data === data && (port === undefined || hasPort(each, port)))
    if (!server) throw noServer(data, port, servers)
    return { address: server.url, server }
  }
  if (port !== undefined) return atPort(port, servers)
  if (environment['TOCSIN_URL']) return at(environment['TOCSIN_URL'], servers)
  const set = environment[settings.port.variable]
  const there = set ? portOf(set) : null
  if (there !== null) return atPort(there, servers)
  const server = choose(servers, data)
  return { address: server?.url ?? `http://127.0.0.1:${settings.port.fallback}`, server }
}

function at(address: string, servers: readonly RunningServer[]): Found {
  return { address, server: servers.find(({ url }) => url === trimmed(address)) ?? null }
}

function atPort(port: number, servers: readonly RunningServer[]): Found {
  const server = servers.find((each) => hasPort(each, port)) ?? null
  return { address: server?.url ?? `http://127.0.0.1:${port}`, server }
}

function hasPort({ url }: RunningServer, port: number): boolean {
  return trimmed(url).endsWith(`:${port}`)
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '')
}

function choose(servers: readonly RunningServer[], data: string): RunningServer | null {
  const here = servers.filter((server) => server.data === data)
  const [one, ...others] = here.length > 0 ? here : servers
  if (others.length === 0) return one ?? null
  throw new TocsinError('config_invalid', `Several servers run on this machine: ${listed(servers)}.`, [], {
    remedy: 'Choose one: give --port, --data or --url.',
  })
}

function noServer(data: string, port: number | undefined, servers: readonly RunningServer[]): TocsinError {
  const wanted = `the data folder ${data}${port === undefined ? '' : ` and the port ${port}`}`
  const others = servers.length === 0 ? '' : ` These run: ${listed(servers)}.`
  return new TocsinError('config_invalid', `No server with ${wanted} runs on this machine.${others}`, [], {
    remedy: `Start it with \`tocsin up --data ${data}\`. If it runs in a container or on another machine, give --url.`,
  })
}

function listed(servers: readonly RunningServer[]): string {
  return servers.map(({ url, data }) => `${url} (data in ${data})`).join(', ')
}

function keyIn(folder: string): string | null {
  try {
    return readFileSync(join(folder, 'admin.key'), 'utf8').trim()
  } catch {
    return null
  }
}
