/** One setting: an environment variable, and a flag where it has one. The table is what help, docs and reading share. */
export interface Setting {
  readonly variable: string
  /** `--<flag>`; null where a command line is no place for it. */
  readonly flag: string | null
  readonly fallback: string | null
  readonly secret: boolean
  readonly help: string
}

function setting(variable: string, flag: string | null, fallback: string | null, help: string, secret = false): Setting {
  return { variable, flag, fallback, secret, help }
}

export const settings = {
  data: setting('TOCSIN_DATA', 'data', './data', 'Folder of the embedded store, the vault key and the first admin key.'),
  port: setting('TOCSIN_PORT', 'port', '8080', 'Port to listen on; 0 takes a free one.'),
  host: setting('TOCSIN_HOST', 'host', '127.0.0.1', 'Address to listen on.'),
  plugins: setting('TOCSIN_PLUGINS', 'plugins', null, "Folders of plugins, separated by commas; the project's own if absent."),
  playbooks: setting('TOCSIN_PLAYBOOKS', 'playbooks', null, "Folders of playbooks, separated by commas; the project's own if absent."),
  concurrency: setting(
    'TOCSIN_CONCURRENCY',
    'concurrency',
    '64',
    'Runs of one organization in work at once in this process; all organizations together may have a third more.',
  ),
  stopWithin: setting(
    'TOCSIN_STOP_WITHIN',
    'stop-within',
    '10s',
    'When the process is told to stop, how long runs and requests in work may take to end; runs that have not ended go on in another process.',
  ),
  retryDelays: setting(
    'TOCSIN_RETRY_DELAYS',
    'retry-delays',
    '1m,5m,15m',
    'After a fault of the infrastructure, how long before an investigation that has changed nothing is retried by itself, once, twice and so on; none: it is not.',
  ),
  deathLimit: setting(
    'TOCSIN_DEATH_LIMIT',
    'death-limit',
    '3',
    'How often in a row a process may die while it has a run in work, and the run comes no further; then the run fails. The same in every process.',
  ),
  bodyLimit: setting('TOCSIN_BODY_LIMIT', null, '1MiB', 'Largest request body; one of many alerts or playbooks may have 16 times as much.'),
  trustedProxies: setting(
    'TOCSIN_TRUSTED_PROXIES',
    null,
    '',
    'Addresses of proxies before Tocsin, as CIDRs or addresses, separated by commas: their X-Forwarded-For says where a request comes from.',
  ),
  logLevel: setting('TOCSIN_LOG_LEVEL', 'log-level', 'info', 'trace, debug, info, warn, error, fatal or silent.'),
  mongodb: setting('MONGODB_URL', null, null, 'MongoDB replica set, with REDIS_URL; the embedded store if both are absent.', true),
  redis: setting('REDIS_URL', null, null, 'Redis, with MONGODB_URL.', true),
  vaultKey: setting('TOCSIN_VAULT_KEY', null, null, '32 bytes, base64 or hexadecimal; <data>/vault.key if absent. The same in every process.', true),
  adminKey: setting('TOCSIN_ADMIN_KEY', null, null, 'The admin API key; made at the first start and written to <data>/admin.key if absent.', true),
  caFile: setting('TOCSIN_CA_FILE', null, null, 'PEM file of certificates to trust beside the usual ones.'),
  egressAllow: setting(
    'TOCSIN_EGRESS_ALLOW',
    null,
    '',
    'Private addresses that connections and webhooks may reach (webhooks without TLS too): CIDRs, hosts, host:port, separated by commas.',
  ),
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settings
