import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../domain/index.ts'
import { messageOf, TocsinError } from '../../errors/index.ts'
import type { Store } from '../port.ts'
import { Channel } from './channel.ts'
import { takeOwnership } from './owner.ts'
import type { Aggregates } from './tables.ts'

export { openMemoryStore } from './memory.ts'

/** Which thread serves a method. A read that must see the writes of its own batch is a write here. */
const routes = {
  organizations: { create: 'writer', byCode: 'reader', byId: 'reader', list: 'reader' },
  policies: { get: 'reader', all: 'reader', set: 'writer', history: 'reader' },
  quotas: { count: 'writer', usage: 'reader' },
  providers: { create: 'writer', byCode: 'reader', list: 'reader' },
  principals: { create: 'writer', byId: 'reader', addKey: 'writer', keyByHash: 'reader', keyById: 'reader', listKeys: 'reader', revokeKey: 'writer' },
  connections: {
    create: 'writer',
    byId: 'reader',
    forOrganization: 'reader',
    list: 'reader',
    revise: 'writer',
    noteTest: 'writer',
    remove: 'writer',
  },
  tokens: { get: 'reader', lease: 'writer', put: 'writer', release: 'writer' },
  artifacts: { put: 'writer', get: 'reader', active: 'reader', listActive: 'reader', activate: 'writer', history: 'reader' },
  alerts: {
    insert: 'writer',
    get: 'reader',
    byAlertId: 'reader',
    list: 'reader',
    submit: 'writer',
    repeats: 'reader',
    retry: 'writer',
    retryDue: 'writer',
    pending: 'reader',
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
  cases: { byCaseId: 'reader', get: 'reader', list: 'reader', timeline: 'reader', record: 'writer' },
  decisions: { open: 'writer', get: 'reader', list: 'reader', revise: 'writer', untold: 'reader', told: 'writer', waiting: 'reader', left: 'reader' },
  pauses: { begin: 'writer', end: 'writer', standing: 'reader', get: 'reader', list: 'reader' },
  settings: { settle: 'writer' },
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
} as const satisfies { readonly [A in keyof Aggregates]: { readonly [M in keyof Aggregates[A]]: 'writer' | 'reader' } }

function remote<A extends keyof Aggregates>(aggregate: A, channels: { readonly writer: Channel; readonly reader: Channel }): Aggregates[A] {
  const methods = Object.entries(routes[aggregate]).map(([method, role]: [string, 'writer' | 'reader']) => [
    method,
    (...parameters: unknown[]) => channels[role].call(aggregate, method, parameters),
  ])
  return Object.fromEntries(methods) as Aggregates[A]
}

/**
 * The store of a single process: one SQLite file in `directory`, safe against a power cut (WAL, fsync at every commit).
 *
 * SQL runs in two threads, so that neither a slow disk nor a long listing holds up the event loop; calls that wait together
 * commit together.
 * @throws TocsinError `store_locked`, `store_newer`, `store_unavailable`
 */
export async function openEmbeddedStore(options: { readonly directory: string; readonly clock: Clock }): Promise<Store> {
  const { directory, clock } = options
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new TocsinError('file_unreadable', `The data folder ${directory} cannot be made: ${messageOf(error)}`)
  }
  const ownership = takeOwnership(directory)
  const file = join(directory, 'tocsin.db')
  try {
    // Made before SQLite makes it, and so for its owner alone; SQLite gives its other files the same mode.
    closeSync(openSync(file, 'a', 0o600))
    const writer = await Channel.open({ file, role: 'writer' }, clock)
    const reader = await Channel.open({ file, role: 'reader' }, clock)
    const channels = { writer, reader }
    return {
      organizations: remote('organizations', channels),
      policies: remote('policies', channels),
      quotas: remote('quotas', channels),
      providers: remote('providers', channels),
      principals: remote('principals', channels),
      connections: remote('connections', channels),
      tokens: remote('tokens', channels),
      artifacts: remote('artifacts', channels),
      alerts: remote('alerts', channels),
      sessions: remote('sessions', channels),
      runs: remote('runs', channels),
      journal: remote('journal', channels),
      cases: remote('cases', channels),
      decisions: remote('decisions', channels),
      pauses: remote('pauses', channels),
      settings: remote('settings', channels),
      webhooks: remote('webhooks', channels),
      outbox: remote('outbox', channels),
      deliveries: remote('deliveries', channels),
      async ping() {
        await writer.call('settings', 'touch', [])
      },
      async close() {
        await reader.close()
        await writer.close()
        ownership.release()
      },
    }
  } catch (error) {
    ownership.release()
    throw error
  }
}
