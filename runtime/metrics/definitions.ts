import { most } from './backlog.ts'

/** One metric: what `/metrics` says about it, and what the reference page says. */
export interface Definition {
  readonly name: string
  /** `histogram`: in seconds. */
  readonly kind: 'counter' | 'histogram' | 'gauge'
  readonly help: string
  readonly labels: readonly string[]
}

/** Upper bounds of the buckets of calls and requests, in seconds. */
export const shortTimes = [0.01, 0.05, 0.2, 1, 5, 30]
/** Upper bounds of the buckets of waits and runs, in seconds. */
export const longTimes = [0.1, 0.5, 2, 10, 60, 300, 3600]

/** What this process has done since it started. No label has a value that an alert, a tenant or an external system chooses. */
export const ofProcess = {
  accepted: { name: 'tocsin_alerts_accepted_total', kind: 'counter', help: 'New alerts that this process has stored and acknowledged.', labels: [] },
  repeated: {
    name: 'tocsin_alerts_repeated_total',
    kind: 'counter',
    help: 'Alerts that were sent again with the same Idempotency-Key.',
    labels: [],
  },
  waited: {
    name: 'tocsin_alert_wait_seconds',
    kind: 'histogram',
    help: 'Time from the creation of an alert to the start of its first run.',
    labels: [],
  },
  ended: {
    name: 'tocsin_runs_ended_total',
    kind: 'counter',
    help: 'Runs that have ended. kind: investigation or undo. code: the error code of a failed run, or other for a code of a playbook or plugin.',
    labels: ['kind', 'state', 'code'],
  },
  lasted: {
    name: 'tocsin_run_duration_seconds',
    kind: 'histogram',
    help: 'Time from the start of a run to its end, with all its waits.',
    labels: ['kind', 'state'],
  },
  called: {
    name: 'tocsin_calls_total',
    kind: 'counter',
    help: 'Calls of skills. outcome: `ok`, or what a failed call did: not_sent, refused (it changed nothing), done or unknown (it may have changed something).',
    labels: ['integration', 'outcome'],
  },
  callLasted: {
    name: 'tocsin_call_duration_seconds',
    kind: 'histogram',
    help: 'Time of a call of a skill, with its wait for the rate limit.',
    labels: ['integration'],
  },
  delivered: {
    name: 'tocsin_webhook_attempts_total',
    kind: 'counter',
    help: 'Attempts to deliver to a webhook. outcome: delivered, again (it failed, and will be tried again) or dead (it was given up).',
    labels: ['outcome'],
  },
  fetched: {
    name: 'tocsin_fetch_attempts_total',
    kind: 'counter',
    help: 'Attempts to fetch alerts. outcome: `ok`, or `failed` (it will be tried again).',
    labels: ['outcome'],
  },
  answered: {
    name: 'tocsin_http_request_duration_seconds',
    kind: 'histogram',
    help: 'Time from the arrival of a request to its answer. Live streams are left out. status: 2xx, 3xx, 4xx or 5xx. route: none for paths that do not exist.',
    labels: ['method', 'route', 'status'],
  },
} as const satisfies Readonly<Record<string, Definition>>

/** What is true of the whole installation. Each process reads it from the store, so each says the same. */
export const ofInstallation = {
  storeUp: {
    name: 'tocsin_store_up',
    kind: 'gauge',
    help: '1 if the store can be read and written. If it is 0, the metrics below are absent.',
    labels: [],
  },
  waiting: {
    name: 'tocsin_alerts_waiting',
    kind: 'gauge',
    help: `Alerts that no run has taken. Alerts that a pause holds are left out. ${most.alerts} means ${most.alerts} or more.`,
    labels: [],
  },
  oldest: {
    name: 'tocsin_oldest_waiting_alert_seconds',
    kind: 'gauge',
    help: 'Age of the alert that waits longest for a run. 0 if none waits.',
    labels: [],
  },
  decisions: {
    name: 'tocsin_decisions_open',
    kind: 'gauge',
    help: `Decisions that wait for a person. ${most.decisions} means ${most.decisions} or more.`,
    labels: [],
  },
  inDoubt: {
    name: 'tocsin_writes_in_doubt',
    kind: 'gauge',
    help: `Writes in doubt that wait for a person to say whether they happened. ${most.decisions} means ${most.decisions} or more.`,
    labels: [],
  },
  pauses: { name: 'tocsin_pauses', kind: 'gauge', help: 'Pauses that stand now.', labels: [] },
  failingFetches: { name: 'tocsin_fetches_failing', kind: 'gauge', help: 'Enabled fetches whose last attempt failed.', labels: [] },
} as const satisfies Readonly<Record<string, Definition>>

/** About this process. */
export const aboutProcess = {
  info: { name: 'tocsin_info', kind: 'gauge', help: 'Always 1. version: the version of Tocsin.', labels: ['version'] },
  agents: { name: 'tocsin_agents_connected', kind: 'gauge', help: 'Remote agents that are connected to this process.', labels: [] },
} as const satisfies Readonly<Record<string, Definition>>
