import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Millis } from '../domain/index.ts'
import type { LogLevel } from '../telemetry/index.ts'
import type { TracesTo } from '../traces/index.ts'
import { invalid, nameOf, Problems } from './problems.ts'
import { type SettingName, settings } from './settings.ts'
import { tracesHeaders, tracesUrl } from './traces.ts'
import {
  adminKey,
  bodyLimit,
  certificates,
  egressAllow,
  integer,
  listOf,
  logLevel,
  peerUrl,
  proxies,
  redisUrl,
  retryDelays,
  stopWithin,
  vaultKey,
  vaultKeysOld,
} from './values.ts'

/** Where Tocsin keeps alerts, cases and jobs. */
type Backends = { readonly kind: 'embedded' } | { readonly kind: 'services'; readonly mongodb: string; readonly redis: string }

/** The folders of plugins and playbooks, as absolute paths. */
export interface Folders {
  readonly plugins: readonly string[]
  readonly playbooks: readonly string[]
}

/** The whole configuration of a process, checked. */
export interface Config extends Folders {
  readonly data: string
  readonly host: string
  readonly port: number
  readonly concurrency: number
  readonly bodyLimit: number
  /** Addresses and CIDRs. */
  readonly trustedProxies: readonly string[]
  /** When the process stops, how long active runs and requests may take to end. */
  readonly stopWithin: Millis
  /** The delays before the first, second and further automatic retries. */
  readonly retryDelays: readonly Millis[]
  /** A run fails after this many deaths in a row without progress. */
  readonly deathLimit: number
  readonly logLevel: LogLevel
  readonly backends: Backends
  readonly vaultKey: string | null
  readonly vaultKeyOld: readonly string[]
  readonly adminKey: string | null
  /** PEM texts. */
  readonly ca: readonly string[]
  /** Where other processes reach this one. Null: at its own address. */
  readonly peerUrl: string | null
  readonly egressAllow: readonly string[]
  /** Where traces go. Null: there are none. */
  readonly traces: TracesTo | null
}

/** Values of flags, by setting. A flag wins over its variable. */
export type Flags = Readonly<Partial<Record<SettingName, string>>>

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
/** An empty variable counts as absent, because compose files and shells set such variables. */
function textOf(name: SettingName, environment: NodeJS.ProcessEnv, flags: Flags): string | null {
  return flags[name] ?? (environment[settings[name].variable] || settings[name].fallback)
}

/**
 * Returns the configuration of commands that only work on files. It ignores all other settings, so none of
 * them can make such a command fail.
 */
export function readFolders(environment: NodeJS.ProcessEnv, flags: Flags): Folders {
  const folders = (name: keyof Folders): string[] => {
    const given = listOf(textOf(name, environment, flags))
    return given.length > 0 ? given.map((folder) => resolve(folder)) : [join(root, name)]
  }
  return { plugins: folders('plugins'), playbooks: folders('playbooks') }
}

/** The command that reads the configuration. `serve` and `worker` need MongoDB and Redis. */
export type ProcessName = 'up' | 'serve' | 'worker'

/** On MongoDB, concurrent runs share commands, so more of them at once cost less each (decision 79). */
function mostRuns(mongodb: string | null): string {
  return mongodb === null ? '96' : '128'
}

/**
 * Reads flags and environment into one checked object.
 * @throws TocsinError `config_invalid`, naming every variable or flag that is wrong
 */
export function readConfig(environment: NodeJS.ProcessEnv, flags: Flags, process: ProcessName = 'up'): Config {
  const text = (name: SettingName): string | null => textOf(name, environment, flags)
  const problems = new Problems()
  const config: Config = {
    data: resolve(text('data') ?? ''),
    host: text('host') ?? '',
    port: problems.attempt('port', () => integer('port', text('port'), 0, 65_535, 8080), 0),
    ...readFolders(environment, flags),
    concurrency: problems.attempt('concurrency', () => integer('concurrency', text('concurrency') ?? mostRuns(text('mongodb')), 1, 10_000, 64), 1),
    bodyLimit: problems.attempt('bodyLimit', () => bodyLimit(text('bodyLimit') ?? ''), 0),
    trustedProxies: problems.attempt('trustedProxies', () => proxies(listOf(text('trustedProxies'))), []),
    stopWithin: problems.attempt('stopWithin', () => stopWithin(text('stopWithin') ?? ''), 0),
    retryDelays: problems.attempt('retryDelays', () => retryDelays(listOf(text('retryDelays'))), []),
    deathLimit: problems.attempt('deathLimit', () => integer('deathLimit', text('deathLimit'), 1, 100, 3), 1),
    logLevel: problems.attempt('logLevel', () => logLevel(text('logLevel') ?? ''), 'info'),
    backends: backends(text('mongodb'), text('redis'), process, problems),
    vaultKey: problems.attempt('vaultKey', () => vaultKey(text('vaultKey')), null),
    vaultKeyOld: problems.attempt('vaultKeyOld', () => vaultKeysOld(listOf(text('vaultKeyOld'))), []),
    adminKey: problems.attempt('adminKey', () => adminKey(text('adminKey')), null),
    ca: problems.attempt('caFile', () => certificates(text('caFile')), []),
    peerUrl: problems.attempt('peerUrl', () => peerUrl(text('peerUrl')), null),
    egressAllow: problems.attempt('egressAllow', () => egressAllow(listOf(text('egressAllow'))), []),
    traces: tracesTo(text, problems),
  }
  problems.mustBeNone()
  return config
}

const forms = {
  mongodb: {
    pattern: /^mongodb(\+srv)?:\/\//,
    says: 'mongodb:// or mongodb+srv://',
    example: 'mongodb://user:password@host:27017/tocsin?replicaSet=rs0',
  },
  redis: { pattern: /^rediss?:\/\//, says: 'redis:// or rediss://', example: 'redis://:password@host:6379' },
}

function backends(mongodb: string | null, redis: string | null, process: ProcessName, problems: Problems): Backends {
  if (mongodb === null && redis === null && process === 'up') return { kind: 'embedded' }
  const read = (name: keyof typeof forms, value: string | null, other: SettingName): string =>
    problems.attempt(name, () => serviceAddress(name, value, other, process), '')
  return { kind: 'services', mongodb: read('mongodb', mongodb, 'redis'), redis: read('redis', redis, 'mongodb') }
}

function serviceAddress(name: keyof typeof forms, value: string | null, other: SettingName, process: ProcessName): string {
  const { pattern, says, example } = forms[name]
  const give = `Set it to an address such as ${example}`
  if (value === null && process !== 'up') throw invalid(name, `is missing: tocsin ${process} needs it.`, `${give}; without services use tocsin up.`)
  if (value === null)
    throw invalid(name, `is missing: ${nameOf(other)} alone is not enough.`, `${give}; or unset ${nameOf(other)} for the embedded store.`)
  if (!pattern.test(value)) throw invalid(name, `must begin with ${says}`, `${give}.`)
  // MongoDB's driver checks its own URL, and says what is wrong.
  return name === 'redis' ? redisUrl(value) : value
}

function tracesTo(text: (name: SettingName) => string | null, problems: Problems): TracesTo | null {
  const endpoint = text('tracesEndpoint')
  if (endpoint === null) return null
  return {
    url: problems.attempt('tracesEndpoint', () => tracesUrl(endpoint), ''),
    headers: problems.attempt('tracesHeaders', () => tracesHeaders(text('tracesHeaders') ?? ''), {}),
    service: text('tracesService') ?? '',
  }
}
