import { type Api, type ApiServices, buildApi, hashKey, newKeyValue } from '../../../runtime/api/index.ts'
import { systemIds } from '../../../runtime/config/index.ts'
import { createEvidenceSigner, createVault, createWebhookSigner } from '../../../runtime/connection/index.ts'
import {
  type Alert,
  asId,
  type Clock,
  type KeyId,
  type OrganizationId,
  type Permission,
  type Principal,
  type PrincipalId,
  systemScope,
} from '../../../runtime/domain/index.ts'
import { createEgress } from '../../../runtime/egress/index.ts'
import { bindSlots, createConnectionUses, DecisionService, RunService, UndoService } from '../../../runtime/engine/index.ts'
import { TocsinError } from '../../../runtime/errors/index.ts'
import { createEvidence } from '../../../runtime/evidence/index.ts'
import { Arrivals, noTurns } from '../../../runtime/fairness/index.ts'
import { Feed, watchStore } from '../../../runtime/feed/index.ts'
import { Fetches } from '../../../runtime/fetches/index.ts'
import { NamedHints } from '../../../runtime/hints/index.ts'
import { createIngest, createInvestigations, HandOver, RecentAlerts } from '../../../runtime/ingest/index.ts'
import { Metrics } from '../../../runtime/metrics/index.ts'
import { Webhooks } from '../../../runtime/notify/index.ts'
import { createPdfs } from '../../../runtime/pdf/index.ts'
import {
  createPlaybookLibrary,
  drawText,
  editorSchemaFor,
  examineText,
  generateFor,
  PlaybookActivation,
  PlaybookHistory,
  shippedPlaybooks,
} from '../../../runtime/playbook/index.ts'
import { createPluginLibrary } from '../../../runtime/plugin/index.ts'
import { type KnownSkills, Policies, readPolicy } from '../../../runtime/policy/index.ts'
import type { Job, Queue } from '../../../runtime/queue/index.ts'
import { createRecordings } from '../../../runtime/rehearsal/index.ts'
import { noOthers, Relay } from '../../../runtime/relay/index.ts'
import { createRetraces } from '../../../runtime/retrace/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'
import { ManualClock } from '../clocks/manual-clock.ts'
import { lookingHere } from '../looking.ts'
import { openUnhurriedStore } from '../stores/unhurried-store.ts'

/** An API over its own store in memory, with the real ingest and without workers: the test plays them. */
export interface ApiServer {
  readonly app: Api
  readonly store: Store
  /** The same store. The feed learns nothing of what is written here. */
  readonly opened: Store
  readonly feed: Feed
  readonly clock: ManualClock
  /** A key of all organizations with the permission `admin`. */
  readonly admin: string
  /** The log lines. */
  readonly log: readonly string[]
  /** The jobs that were handed to the queue. */
  readonly jobs: readonly Job[]
  /** The alerts whose end a request waits for, with the function that reports the end. It may get the alert then. */
  readonly waiting: Map<string, (ended?: Alert) => void>
  /** What `Investigations.shown` returns. Null: reads show each end that was told. */
  readonly told: { shown: Promise<void> | null }
  /** Puts a key into the store, as if it had been created earlier. */
  addKey(permissions: readonly Permission[], organizations?: 'all' | readonly OrganizationId[]): Promise<string>
  readonly relay: Relay
  /** Resolves when every acknowledged alert was handed over. The status of an alert changes after its answer. */
  handedOver(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts the API on a store in memory.
 * @param feedClock the clock of the feed. Absent: the manual clock, so the feed tells nothing until a test advances it. A page in a browser
 * needs the real clock, or it learns of changes only when it polls
 */
export async function startApi(overrides: Partial<ApiServices> = {}, feedClock?: Clock): Promise<ApiServer> {
  const clock = new ManualClock()
  const opened = openUnhurriedStore(clock)
  const feed = new Feed({ store: opened, clock: feedClock ?? clock, ids: systemIds, channel: null })
  const store = watchStore(opened, feed)
  const log: string[] = []
  const logger = createLogger({ level: 'info', destination: { write: (line) => void log.push(line) } })
  const jobs: Job[] = []
  const waiting: ApiServer['waiting'] = new Map()
  const told: ApiServer['told'] = { shown: null }
  const handOver = new HandOver(store.alerts, recordingQueue(jobs), clock, logger)
  const egress = createEgress({ ca: [], allow: ['127.0.0.1'] }, clock)
  const vault = createVault(Buffer.alloc(32, 7))
  const signer = createWebhookSigner(vault, systemIds)
  const pdfs = createPdfs({ clock, logger })
  const relay = new Relay({
    store,
    clock,
    ids: systemIds,
    logger,
    version: '0.0.0',
    directory: noOthers,
    revocations: new NamedHints(null, clock),
    shared: 'test',
  })
  const services: ApiServices = {
    store,
    relay,
    pdfs,
    metrics: new Metrics({ store, clock, version: '0.0.0', agents: () => relay.connected }),
    feed,
    clock,
    ids: systemIds,
    logger,
    turns: noTurns,
    trustedProxies: [],
    bodyLimit: 65_536,
    version: '0.0.0',
    ingest: createIngest({ store, handOver, recent: new RecentAlerts(), clock, ids: systemIds, turns: noTurns, arrivals: new Arrivals(clock) }),
    investigations: createInvestigations(store, handOver, clock, {
      ended({ uuid }, signal) {
        if (signal.aborted) return Promise.resolve(null)
        return new Promise((resolve) => {
          const done = (ended: Alert | null = null) => {
            waiting.delete(uuid)
            resolve(ended)
          }
          waiting.set(uuid, done)
          signal.addEventListener('abort', () => done(), { once: true })
        })
      },
      shown: () => told.shown,
    }),
    decisions: new DecisionService(store, recordingQueue(jobs), clock),
    runs: new RunService(store, recordingQueue(jobs), clock),
    undo: new UndoService(store, createPluginLibrary(store, clock), recordingQueue(jobs), clock),
    connections: noConnections,
    fetches: new Fetches({
      store,
      plugins: createPluginLibrary(store, clock),
      calls: { call: () => Promise.reject(new Error('nobody calls')) },
      clock,
      ids: systemIds,
    }),
    webhooks: new Webhooks({ store, egress, signer, clock, logger, ids: systemIds, version: '0.0.0' }),
    evidence: createEvidence(store, createEvidenceSigner(vault), noTurns, clock, '0.0.0'),
    manualCalls: { test: async () => null, run: async () => null, preview: async () => null },
    connectionUses: createConnectionUses(store, lookingHere(createPluginLibrary(store, clock), clock)),
    playbooks: playbooksOf(store, clock),
    policies: new Policies(
      store,
      clock,
      async () => knownSkills,
      async (text, file, skills) => readPolicy(text, file, skills),
    ),
    recordings: createRecordings(store, { byDigest: () => Promise.reject(new TocsinError('playbook_unknown', 'there is none')) }, noTurns),
    retraces: createRetraces(store, {
      playbooks: { byDigest: () => Promise.reject(new TocsinError('playbook_unknown', 'there is none')) },
      plugins: createPluginLibrary(store, clock),
      turns: noTurns,
    }),
    resumed: () => {},
    integrations: { list: async () => [], skills: async () => null },
    console: async () => ({ page: () => '', files: new Map() }),
    ready: async () => [
      { name: 'store', ok: true },
      { name: 'queue', ok: true },
    ],
    ...overrides,
  }
  const app = await buildApi(services)
  const addKey: ApiServer['addKey'] = async (permissions, organizations = 'all') => {
    const principal: Principal = {
      id: asId<PrincipalId>(systemIds.uuid()),
      name: 'test',
      permissions,
      organizations,
      createdAt: clock.now(),
      createdBy: null,
    }
    const value = newKeyValue(systemIds)
    await store.principals.create(systemScope, principal)
    const id = asId<KeyId>(systemIds.uuid())
    await store.principals.addKey(systemScope, {
      id,
      principal: principal.id,
      name: 'test',
      hash: hashKey(value),
      createdAt: clock.now(),
      revokedAt: null,
      expiresAt: null,
      lastUsedAt: null,
    })
    return value
  }
  return {
    app,
    store,
    opened,
    feed,
    clock,
    admin: await addKey(['admin']),
    log,
    jobs,
    waiting,
    told,
    addKey,
    relay,
    handedOver: () => handOver.settled(),
    async close() {
      relay.close()
      await app.close()
      await handOver.settled()
      feed.close()
      await pdfs.close()
      await egress.close()
      await store.close()
    },
  }
}

/** The skills that policies may name, although no plugin is installed. */
const knownSkills: KnownSkills = new Map([
  ['mfa.suspend_user', { impact: 'write', targeted: true, ends: false }],
  ['mfa.bypass_user', { impact: 'high', targeted: true, ends: true }],
  ['mfa.get_user', { impact: 'read', targeted: true, ends: false }],
])

function recordingQueue(jobs: Job[]): Queue {
  return {
    enqueue: async (more) => void jobs.push(...more),
    enqueueAgain: async (more) => void jobs.push(...more),
    consume: () => ({ offer: () => {}, stop: async () => {}, active: 0 }),
    prune: async () => 0,
    ping: async () => {},
    close: async () => {},
  }
}

const noConnections: ApiServices['connections'] = {
  create: () => Promise.reject(new Error('no connections in this test')),
  list: async () => ({ items: [], more: false }),
  get: async () => null,
  revise: async () => null,
  check: async () => null,
  remove: async () => false,
}

const notHere = () => Promise.reject(new Error('no rehearsals in this test'))
const noRehearsals: ApiServices['playbooks']['rehearsals'] = { test: notHere, dryRun: notHere, replay: notHere, record: notHere, typesOf: notHere }

/** The real playbook services, without plugins and connections. */
function playbooksOf(store: Store, clock: ManualClock): ApiServices['playbooks'] {
  const plugins = createPluginLibrary(store, clock)
  const looking = lookingHere(plugins, clock)
  const library = createPlaybookLibrary({ store, ...looking })
  const history = new PlaybookHistory(store, looking.checks)
  const needs = { ...looking, store, connectionsOf: async () => [] }
  return {
    draw: (scope, text, organization) => drawText(needs, scope, text, organization),
    lint: (scope, text, organization) => examineText(needs, scope, text, organization),
    generate: (alert) => generateFor(needs, alert),
    templates: shippedPlaybooks,
    schema: (scope) => editorSchemaFor(needs, scope),
    binding: async (playbook, organization) => bindSlots(playbook, await store.connections.forOrganization(systemScope, organization)),
    rehearsals: noRehearsals,
    history,
    activation: new PlaybookActivation({ ...needs, library, history, bind: bindSlots }),
  }
}
