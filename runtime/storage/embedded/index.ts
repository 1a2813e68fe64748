/**
 * The embedded store: SQLite in threads of its own, for one process. The folders are the same as those of
 * `mongodb/`, plus what a store on local files needs: `files/`, `threads/`, `watch/` and `recovery/`.
 */

import type { Pause } from '../../domain/index.ts'
import type { ClaimResult, InsertedAlert, RunStore, Store } from '../port/index.ts'
import { tellWhenSent } from './alerts/index.ts'
import type { Aggregates } from './assemble.ts'
import { keepStanding } from './guards/index.ts'
import { claimBeforeCommit } from './runs/index.ts'
import type { Channel } from './threads/index.ts'
import { type EmbeddedOptions, type OpenFile, openFile } from './threads/index.ts'

export type { Notice } from './files/index.ts'
export { openMemoryStore } from './memory.ts'
export { acceptLoss, backUp, examine } from './recovery/index.ts'

/** Which thread executes a method. A read that must see earlier writes of its own batch goes to the writer. */
const routes = {
  organizations: { create: 'writer', byCode: 'reader', byId: 'reader', list: 'reader' },
  policies: { get: 'reader', revision: 'reader', all: 'reader', set: 'writer', history: 'reader' },
  quotas: { count: 'writer', usage: 'reader' },
  providers: { create: 'writer', byCode: 'reader', list: 'reader' },
  principals: {
    create: 'writer',
    byId: 'reader',
    addKey: 'writer',
    keyByHash: 'reader',
    keyById: 'reader',
    mostKeys: 'reader',
    listKeys: 'reader',
    revokeKey: 'writer',
    noteKeyUse: 'writer',
  },
  acts: { add: 'writer', list: 'reader' },
  agents: {
    create: 'writer',
    byId: 'reader',
    list: 'reader',
    count: 'reader',
    enrol: 'writer',
    byToken: 'reader',
    byKey: 'reader',
    revoke: 'writer',
    noteSeen: 'writer',
  },
  connections: {
    create: 'writer',
    byId: 'reader',
    forOrganization: 'reader',
    list: 'reader',
    revise: 'writer',
    noteTest: 'writer',
    reseal: 'writer',
    remove: 'writer',
  },
  tokens: { get: 'reader', lease: 'writer', put: 'writer', release: 'writer' },
  artifacts: { put: 'writer', get: 'reader', active: 'reader', listActive: 'reader', activate: 'writer', history: 'reader' },
  alerts: {
    insert: 'writer',
    get: 'reader',
    names: 'reader',
    byAlertId: 'reader',
    list: 'reader',
    tally: 'reader',
    submit: 'writer',
    repeats: 'reader',
    retry: 'writer',
    retryDue: 'writer',
    pending: 'reader',
    prepare: 'writer',
    prepared: 'writer',
    hold: 'writer',
    heldBy: 'reader',
    release: 'writer',
    repair: 'reader',
  },
  sessions: { open: 'writer', heartbeat: 'writer', close: 'writer', bury: 'writer' },
  runs: {
    claim: 'writer',
    openUndo: 'writer',
    claimUndo: 'writer',
    end: 'writer',
    sleep: 'writer',
    cancel: 'writer',
    cancelled: 'reader',
    dropRetry: 'writer',
    wake: 'writer',
    hold: 'writer',
    release: 'writer',
    due: 'reader',
    get: 'reader',
    list: 'reader',
    ofAlert: 'reader',
    undosOfAlert: 'reader',
    orphans: 'reader',
    forgetWindows: 'writer',
    settle: 'reader',
  },
  journal: { append: 'writer', read: 'reader', putOutput: 'writer', getOutput: 'reader' },
  cases: {
    byCaseId: 'reader',
    get: 'reader',
    list: 'reader',
    continued: 'reader',
    timeline: 'reader',
    entries: 'reader',
    mentions: 'reader',
    record: 'writer',
  },
  decisions: {
    open: 'writer',
    get: 'reader',
    list: 'reader',
    byDeadline: 'reader',
    revise: 'writer',
    untold: 'reader',
    told: 'writer',
    waiting: 'reader',
    left: 'reader',
  },
  pauses: { begin: 'writer', end: 'writer', standing: 'reader', get: 'reader', list: 'reader' },
  fetches: {
    create: 'writer',
    get: 'reader',
    list: 'reader',
    count: 'reader',
    failing: 'reader',
    revise: 'writer',
    remove: 'writer',
    hurry: 'writer',
    due: 'reader',
    lease: 'writer',
    extend: 'writer',
    settle: 'writer',
  },
  settings: { settle: 'writer', replace: 'writer' },
  webhooks: { create: 'writer', get: 'reader', list: 'reader', count: 'reader', enabled: 'reader', revise: 'writer', remove: 'writer' },
  outbox: { pending: 'reader', clear: 'writer' },
  deliveries: {
    add: 'writer',
    get: 'reader',
    list: 'reader',
    due: 'reader',
    lease: 'writer',
    settle: 'writer',
    abandon: 'writer',
    again: 'writer',
    prune: 'writer',
  },
  statistics: { alerts: 'reader', runs: 'reader' },
} as const satisfies { readonly [A in keyof Aggregates]: { readonly [M in keyof Aggregates[A]]: 'writer' | 'reader' } }

function remote<A extends keyof Aggregates>(aggregate: A, channels: { readonly writer: Channel; readonly reader: Channel }): Aggregates[A] {
  const methods = Object.entries(routes[aggregate]).map(([method, role]: [string, 'writer' | 'reader']) => [
    method,
    (...parameters: unknown[]) => channels[role].call(aggregate, method, parameters),
  ])
  return Object.fromEntries(methods) as Aggregates[A]
}

/**
 * Opens the store of a single process: one SQLite file in `directory`, safe against a power cut (WAL, fsync
 * at every commit). It acknowledges only what the next process would find there: see `Caretaker`.
 *
 * SQL runs in two threads, so that neither a slow disk nor a long list blocks the event loop. Calls that wait
 * at the same time share a commit.
 * @throws TocsinError `store_locked`, `store_newer`, `store_unknown`, `store_incomplete`, `store_damaged`,
 * `folder_unusable`, `disk_full`, `store_unavailable`
 */
export async function openEmbeddedStore(options: EmbeddedOptions): Promise<Store> {
  const file: OpenFile = await openFile(options)
  const { writer } = file.channels
  const aggregates = Object.fromEntries(
    (Object.keys(routes) as (keyof Aggregates)[]).map((name) => [name, remote(name, file.channels)]),
  ) as unknown as Aggregates
  const pauses = keepStanding(aggregates.pauses, (scope) => writer.call('pauses', 'standing', [scope]) as Promise<readonly Pause[]>)
  const claim = claimBeforeCommit(aggregates.runs, (...parameters) => {
    const { executed, committed } = writer.callEarly('runs', 'claim', parameters)
    return { executed: executed as Promise<ClaimResult>, committed: committed as Promise<ClaimResult> }
  })
  const insert = tellWhenSent(aggregates.alerts, (scope, batch) => {
    const { executed, committed } = writer.callEarly('alerts', 'insert', [scope, batch])
    return { executed: executed as Promise<readonly InsertedAlert[]>, committed: committed as Promise<readonly InsertedAlert[]> }
  })
  // One write stores an end and shows it, so `stored` is never called. And a function cannot be sent to the thread.
  const end: RunStore['end'] = (scope, ending) => aggregates.runs.end(scope, ending)
  const close = (): Promise<void> => {
    pauses.forget()
    return file.close()
  }
  return { ...aggregates, alerts: { ...aggregates.alerts, insert }, runs: { ...aggregates.runs, claim, end }, pauses, ping: () => file.ping(), close }
}
