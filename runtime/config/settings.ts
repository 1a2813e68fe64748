/** One setting: an environment variable, and a flag if it has one. The help, the docs and the reader of the configuration use this table. */
export interface Setting {
  readonly variable: string
  /** `--<flag>`. Null if the command line is not the place for it. */
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
  plugins: setting('TOCSIN_PLUGINS', 'plugins', null, 'Folders of plugins, separated by commas (default: those that ship with Tocsin).'),
  playbooks: setting('TOCSIN_PLAYBOOKS', 'playbooks', null, 'Folders of playbooks, separated by commas (default: those that ship with Tocsin).'),
  concurrency: setting(
    'TOCSIN_CONCURRENCY',
    'concurrency',
    null,
    'How many runs of one organization this process works on at once (default: 96, and 128 with MongoDB). All organizations together may have a third more, and types of which no run is in work an eighth more. While alerts flood in, the embedded store works on as few as a quarter.',
  ),
  stopWithin: setting(
    'TOCSIN_STOP_WITHIN',
    'stop-within',
    '10s',
    'How long runs and requests may take to end when the process is told to stop. Unfinished runs continue in another process.',
  ),
  retryDelays: setting(
    'TOCSIN_RETRY_DELAYS',
    'retry-delays',
    '1m,5m,15m',
    'Delays before Tocsin automatically retries an investigation that failed because of the infrastructure and changed nothing; none: no automatic retries.',
  ),
  deathLimit: setting(
    'TOCSIN_DEATH_LIMIT',
    'death-limit',
    '3',
    'A run fails after this many processes in a row died while working on it without progress. Use the same value in every process.',
  ),
  bodyLimit: setting('TOCSIN_BODY_LIMIT', null, '1MiB', 'Largest request body. A request with many alerts or playbooks may be 16 times as large.'),
  trustedProxies: setting(
    'TOCSIN_TRUSTED_PROXIES',
    null,
    '',
    'CIDRs or addresses of proxies in front of Tocsin, separated by commas. Tocsin takes the client address from their X-Forwarded-For.',
  ),
  logLevel: setting('TOCSIN_LOG_LEVEL', 'log-level', 'info', 'trace, debug, info, warn, error, fatal or silent.'),
  mongodb: setting('MONGODB_URL', null, null, 'URL of a MongoDB replica set. Needs REDIS_URL. Without both, Tocsin uses the embedded store.', true),
  redis: setting('REDIS_URL', null, null, 'URL of Redis. Needs MONGODB_URL.', true),
  vaultKey: setting(
    'TOCSIN_VAULT_KEY',
    null,
    null,
    '32 bytes in base64 or hexadecimal (default: <data>/vault.key). Use the same value in every process.',
    true,
  ),
  vaultKeyOld: setting(
    'TOCSIN_VAULT_KEY_OLD',
    null,
    null,
    'Earlier vault keys, separated by commas (default: <data>/vault.key.old). A start re-encrypts what was encrypted with them.',
    true,
  ),
  adminKey: setting('TOCSIN_ADMIN_KEY', null, null, 'The admin API key (default: created at the first start, in <data>/admin.key).', true),
  peerUrl: setting(
    'TOCSIN_PEER_URL',
    null,
    null,
    'Where other processes of Tocsin reach this one, to call through its remote agents, such as http://10.0.0.5:8080 (default: its own address).',
  ),
  caFile: setting('TOCSIN_CA_FILE', null, null, 'PEM file with extra certificates to trust.'),
  tracesEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    null,
    null,
    'URL of an OpenTelemetry collector that gets traces over OTLP/HTTP, such as http://127.0.0.1:4318 (default: there are no traces).',
  ),
  tracesHeaders: setting(
    'OTEL_EXPORTER_OTLP_HEADERS',
    null,
    '',
    'Headers for the collector, such as authorization=Bearer%20abc, separated by commas. Values are percent-encoded.',
    true,
  ),
  tracesService: setting('OTEL_SERVICE_NAME', null, 'tocsin', 'The name of this service in traces.'),
  egressAllow: setting(
    'TOCSIN_EGRESS_ALLOW',
    null,
    '',
    'Private addresses that connections and webhooks may call: CIDRs, hosts or host:port, separated by commas. Webhooks there need no TLS.',
  ),
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settings
