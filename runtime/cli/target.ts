import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type RunningServer, runningServers } from '../app/index.ts'
import { settings } from '../config/index.ts'
import { TocsinError } from '../errors/index.ts'

/** The Tocsin that a command talks to, and the key that it uses. */
export interface Target {
  readonly url: string
  readonly key: string
}

/**
 * Finds the address and the key.
 *
 * Address: `--url`, else TOCSIN_URL, else TOCSIN_PORT on this machine, else the server that runs on this machine. If several run, the one with
 * the data folder TOCSIN_DATA or ./data. Key: `--key`, else TOCSIN_API_KEY, else TOCSIN_ADMIN_KEY, else the admin key that this server wrote at
 * its first start.
 * @throws TocsinError `config_invalid` if there is no key, or several servers run and none has that data folder
 */
export function findTarget(options: { readonly url?: string; readonly key?: string }, environment: NodeJS.ProcessEnv = process.env): Target {
  const data = resolve(environment[settings.data.variable] || settings.data.fallback || '.')
  const servers = runningServers(environment)
  const given = options.url ?? (environment['TOCSIN_URL'] || portOf(environment))
  const server = given === null ? choose(servers, data) : (servers.find(({ url }) => url === trimmed(given)) ?? null)
  const url = trimmed(given ?? server?.url ?? `http://127.0.0.1:${settings.port.fallback}`)
  const named = options.key ?? (environment['TOCSIN_API_KEY'] || environment[settings.adminKey.variable])
  const key = named || (server && keyIn(server.data)) || keyIn(data)
  if (key) return { url, key }
  throw new TocsinError('config_invalid', `There is no API key for ${url}: ${join(server?.data ?? data, 'admin.key')} cannot be read.`, [], {
    remedy: 'Give --key or set TOCSIN_API_KEY. Or run this command as the user who runs Tocsin, with TOCSIN_DATA set to its data folder.',
  })
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '')
}

function portOf(environment: NodeJS.ProcessEnv): string | null {
  const port = environment[settings.port.variable]
  return port ? `http://127.0.0.1:${port}` : null
}

function choose(servers: readonly RunningServer[], data: string): RunningServer | null {
  const here = servers.filter((server) => server.data === data)
  const [one, ...others] = here.length > 0 ? here : servers
  if (others.length === 0) return one ?? null
  const list = servers.map(({ url, data: folder }) => `${url} (data in ${folder})`).join(', ')
  throw new TocsinError('config_invalid', `Several servers run on this machine: ${list}.`, [], {
    remedy: 'Choose one: give --url, or set TOCSIN_URL.',
  })
}

function keyIn(folder: string): string | null {
  try {
    return readFileSync(join(folder, 'admin.key'), 'utf8').trim()
  } catch {
    return null
  }
}
