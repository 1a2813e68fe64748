import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ipaddr from 'ipaddr.js'
import type { Millis } from '../domain/index.ts'
import { messageOf, TocsinError } from '../errors/index.ts'
import type { LogLevel } from '../telemetry/index.ts'
import { parseDuration, parseSize } from '../yaml/index.ts'
import { type SettingName, settings } from './settings.ts'

/** Where alerts, cases and hints are kept. */
export type Backends = { readonly kind: 'embedded' } | { readonly kind: 'services'; readonly mongodb: string; readonly redis: string }

/** Where plugins and playbooks are read from; absolute paths. */
export interface Folders {
  readonly plugins: readonly string[]
  readonly playbooks: readonly string[]
}

/** Everything that a process is told from outside, checked. */
export interface Config extends Folders {
  readonly data: string
  readonly host: string
  readonly port: number
  readonly concurrency: number
  readonly bodyLimit: number
  /** Addresses and CIDRs. */
  readonly trustedProxies: readonly string[]
  /** How long what is in work may take to end when the process stops. */
  readonly stopWithin: Millis
  /** Before the first, the second and further retries that follow by themselves. */
  readonly retryDelays: readonly Millis[]
  /** So many deaths in a row, without the run coming further, end a run. */
  readonly deathLimit: number
  readonly logLevel: LogLevel
  readonly backends: Backends
  readonly vaultKey: string | null
  readonly adminKey: string | null
  /** PEM texts. */
  readonly ca: readonly string[]
  readonly egressAllow: readonly string[]
}

/** Values of flags, by setting. A flag wins over its variable. */
export type Flags = Readonly<Partial<Record<SettingName, string>>>

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const logLevels: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

function nameOf(name: SettingName): string {
  const { variable, flag } = settings[name]
  return flag === null ? variable : `--${flag} (${variable})`
}

function invalid(name: SettingName, problem: string): TocsinError {
  return new TocsinError('config_invalid', `${nameOf(name)} ${problem}`)
}

/** An empty variable counts as absent: compose files and shells set them so. */
function textOf(name: SettingName, environment: NodeJS.ProcessEnv, flags: Flags): string | null {
  return flags[name] ?? (environment[settings[name].variable] || settings[name].fallback)
}

function listOf(text: string | null): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** What of the configuration a command needs that works on files alone: nothing else in the environment can be in its way. */
export function readFolders(environment: NodeJS.ProcessEnv, flags: Flags): Folders {
  const folders = (name: keyof Folders): string[] => {
    const given = listOf(textOf(name, environment, flags))
    return given.length > 0 ? given.map((folder) => resolve(folder)) : [join(root, name)]
  }
  return { plugins: folders('plugins'), playbooks: folders('playbooks') }
}

/**
 * Reads flags and environment into one checked object.
 * @throws TocsinError `config_invalid`, naming the variable or flag
 */
export function readConfig(environment: NodeJS.ProcessEnv, flags: Flags): Config {
  const text = (name: SettingName): string | null => textOf(name, environment, flags)
  const integer = (name: SettingName, least: number, most: number): number => {
    const value = Number(text(name))
    if (!/^\d+$/.test(text(name) ?? '') || value < least || value > most)
      throw invalid(name, `must be an integer from ${least} to ${most}; it is "${text(name)}".`)
    return value
  }
  const logLevel = text('logLevel') ?? ''
  if (!logLevels.includes(logLevel)) throw invalid('logLevel', `must be one of ${logLevels.join(', ')}; it is "${logLevel}".`)
  const adminKey = text('adminKey')
  // It is sent in a Cookie header, where these characters would end it.
  if (adminKey !== null && !/^[\x21-\x7e]{32,200}$/.test(adminKey))
    throw invalid(
      'adminKey',
      'must be 32 to 200 printable ASCII characters without spaces: whoever guesses it may do everything. Make one with: openssl rand -base64 32',
    )
  if (adminKey !== null && /[;,"\\]/.test(adminKey)) throw invalid('adminKey', 'must not have any of ; , " \\')

  return {
    data: resolve(text('data') ?? ''),
    host: text('host') ?? '',
    port: integer('port', 0, 65_535),
    ...readFolders(environment, flags),
    concurrency: integer('concurrency', 1, 10_000),
    bodyLimit: bodyLimit(text('bodyLimit') ?? ''),
    trustedProxies: proxies(listOf(text('trustedProxies'))),
    stopWithin: stopWithin(text('stopWithin') ?? ''),
    retryDelays: retryDelays(listOf(text('retryDelays'))),
    deathLimit: integer('deathLimit', 1, 100),
    logLevel: logLevel as LogLevel,
    backends: backends(text('mongodb'), text('redis')),
    vaultKey: text('vaultKey'),
    adminKey,
    ca: certificates(text('caFile')),
    egressAllow: listOf(text('egressAllow')),
  }
}

function proxies(given: readonly string[]): readonly string[] {
  const wrong = given.find((entry) => !ipaddr.isValid(entry) && !ipaddr.isValidCIDR(entry))
  if (wrong === undefined) return given
  throw invalid('trustedProxies', `must be addresses or CIDRs such as 10.0.0.0/8; "${wrong}" is neither.`)
}

function backends(mongodb: string | null, redis: string | null): Backends {
  if (mongodb === null && redis === null) return { kind: 'embedded' }
  if (mongodb === null) throw invalid('mongodb', 'is missing: REDIS_URL alone is not enough. Set both, or neither for the embedded store.')
  if (redis === null) throw invalid('redis', 'is missing: MONGODB_URL alone is not enough. Set both, or neither for the embedded store.')
  if (!/^mongodb(\+srv)?:\/\//.test(mongodb)) throw invalid('mongodb', 'must begin with mongodb:// or mongodb+srv://')
  if (!/^rediss?:\/\//.test(redis)) throw invalid('redis', 'must begin with redis:// or rediss://')
  return { kind: 'services', mongodb, redis }
}

/** More than these would be nobody's infrastructure coming back. */
const mostRetries = 10

function retryDelays(given: readonly string[]): readonly Millis[] {
  if (given.length === 1 && given[0] === 'none') return []
  try {
    if (given.length <= mostRetries) return given.map(parseDuration)
  } catch {
    // Said below.
  }
  throw invalid('retryDelays', `must be up to ${mostRetries} durations such as 1m,5m,15m, or none; it is "${given.join(',')}".`)
}

/** Timers of Node go no further, and nobody waits so long. */
const longestStop: Millis = 3_600_000

function stopWithin(text: string): Millis {
  try {
    const millis = parseDuration(text)
    if (millis <= longestStop) return millis
  } catch {
    // Said below.
  }
  throw invalid('stopWithin', `must be a duration of at most 1h, such as 10s; it is "${text}".`)
}

function bodyLimit(text: string): number {
  try {
    return parseSize(text)
  } catch {
    throw invalid('bodyLimit', `must be a size such as 1MiB; it is "${text}".`)
  }
}

function certificates(file: string | null): string[] {
  if (file === null) return []
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw invalid('caFile', `cannot be read: ${messageOf(error)}`)
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw invalid('caFile', `has no certificate in PEM: ${file}`)
  return [text]
}
