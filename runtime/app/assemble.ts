import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import { type Checks, createChecks } from '../checks/index.ts'
import { type Config, version } from '../config/index.ts'
import {
  AccessTokens,
  Answers,
  type CallDeps,
  CallLog,
  createConnections,
  createManualCalls,
  createReadCalls,
  createSkillCaller,
  Detections,
  RateLimiter,
} from '../connection/index.ts'
import { createEgress } from '../egress/index.ts'
import { CurrentConnections, DecisionService, EndWatch, type Engine, RunService, Sweeper, UndoService } from '../engine/index.ts'
import { Arrivals, loopTurns, noTurns, type Turns } from '../fairness/index.ts'
import { Feed, TopicChannel, watchStore } from '../feed/index.ts'
import { Fetcher, Fetches, Submitter } from '../fetches/index.ts'
import { NamedHints, type Topic } from '../hints/index.ts'
import { createIngest, createInvestigations, GivenAlerts, HandOver, RecentAlerts } from '../ingest/index.ts'
import { Metrics } from '../metrics/index.ts'
import { watchFacts } from '../notify/index.ts'
import { createPdfs, type Pdfs } from '../pdf/index.ts'
import {
  createPlaybookLibrary,
  type LookingNeeds,
  localChecks,
  Outlines,
  type PlaybookLibrary,
  type Snapshot,
  takeSnapshot,
} from '../playbook/index.ts'
import { createIsolates, createPluginLibrary, createScripts, type ImportingLibrary, importPlugins, type PluginLibrary } from '../plugin/index.ts'
import { currentPolicies } from '../policy/index.ts'
import type { Queue } from '../queue/index.ts'
import { createRehearsals, type Rehearsals } from '../rehearsals/index.ts'
import { type Directory, noOthers, openRedisDirectory, Relay } from '../relay/index.ts'
import type { Store } from '../storage/index.ts'
import { storeFailures } from '../telemetry/index.ts'
import { SpanOutbox, Tracer } from '../traces/index.ts'
import type { Backends } from './backends.ts'
import { filesState, noteImported, wasImported } from './imported.ts'
import { createNotifications, type Notifications } from './notifications.ts'
import { openVault } from './open-vault.ts'
import { explain, importPlaybookFolders } from './playbook-folders.ts'
import type { Seams } from './seams.ts'

/** The most handlers that one organization runs at once in a process. They mostly wait for answers. */
const handlers = { calls: 12, processes: 2 }
/** The most scripts at once. They only compute, so more scripts than processors would not be faster. */
const scripts = { calls: Math.max(availableParallelism(), 2), processes: 2 }

/** The rooms of one process, opened and connected. */
export interface Parts extends Seams {
  readonly config: Config
  readonly logger: Logger
  readonly store: Store
  readonly feed: Feed
  readonly queue: Queue
  readonly callDeps: CallDeps
  readonly turns: Turns
  readonly checks: Checks
  readonly rehearsals: Rehearsals
  readonly pdfs: Pdfs
  /** What the checks of playbook texts need. */
  readonly looking: LookingNeeds
  readonly plugins: PluginLibrary
  readonly playbooks: PlaybookLibrary
  readonly engine: Engine
  readonly connections: CurrentConnections
  /** Tells the processes whose connections have changed. */
  readonly connectionChanges: NamedHints
  readonly watch: EndWatch
  /** The processes with the API. Null: there are no other processes. */
  readonly serves: Topic | null
  /** The alerts that this process ingests. Its runs make room for them. */
  readonly arrivals: Arrivals
  readonly handOver: HandOver
  readonly recent: RecentAlerts
  readonly given: GivenAlerts
  readonly sweeper: Sweeper
  readonly notifications: Notifications
  readonly relay: Relay
  readonly metrics: Metrics
  /** Null: there are no traces. */
  readonly tracer: Tracer | null
  /** The content of the playbook folders when they were imported. */
  readonly imported: Snapshot
  close(): Promise<void>
}

/**
 * Imports the folders, unless nothing has changed since an import that had nothing to say. Checks them in this process, which is faster: the
 * process does not serve anybody yet.
 */
async function importFolders({
  store,
  plugins,
  logger,
  config,
  clock,
}: Pick<Parts, 'store' | 'logger' | 'config' | 'clock'> & { readonly plugins: ImportingLibrary }): Promise<Snapshot> {
  // Before the files are compared: a change from now on is found by the watch.
  const snapshot = await takeSnapshot(config.playbooks)
  const files = filesState(config)
  if (await wasImported(config.data, files, store)) return snapshot
  let silent = true
  for (const result of await importPlugins(store, clock, config.plugins, plugins.keep)) {
    if (result.outcome === 'refused') {
      silent = false
      logger.error({ folder: result.folder, ...explain(result.error) }, 'could not import a plugin; the active version stays in use')
    } else logger.debug(result, 'imported a plugin')
  }
  plugins.forget()
  const looking = { checks: localChecks, outlines: new Outlines(localChecks, clock), plugins, turns: noTurns, clock }
  const imported = await importPlaybookFolders({ store, looking, logger, folders: config.playbooks })
  if (silent && imported.silent && files !== null && files === filesState(config)) await noteImported(config.data, files, store)
  return imported.snapshot
}

/**
 * Connects the rooms of a process, opens the vault and egress, and imports the plugin and playbook folders. Closes everything again if one of
 * them fails.
 * @param opening the store and the queue, which may still be opening
 * @throws TocsinError the errors of `openBackends`; `config_invalid`, `vault_key_wrong`
 */
export async function assemble(config: Config, logger: Logger, seams: Seams, opening: Promise<Backends>): Promise<Parts> {
  const { clock, ids } = seams
  const backends = await opening
  const { store: opened, queue, permits, hints, redis } = backends
  let told: Notifications | null = null
  const changes = hints.topic('feed')
  const feed = new Feed({ store: opened, clock, ids, channel: changes && new TopicChannel(changes) })
  const store = watchStore(
    watchFacts(opened, () => told?.notifier.nudge()),
    feed,
  )
  let directory: Directory = noOthers
  try {
    if (redis) directory = await openRedisDirectory({ ...redis, ids })
    const vault = await openVault(config, store, logger)
    const egress = createEgress({ ca: config.ca, allow: config.egressAllow }, clock)
    const plugins = createPluginLibrary(store, clock, (plugin, error) =>
      logger.error({ plugin, ...explain(error) }, 'cannot read an active plugin; runs that use it fail until its folder is imported'),
    )
    const imported = await importFolders({ store, plugins, logger, config, clock })
    const turns = loopTurns()
    const checks = createChecks({ clock, logger })
    const rehearsals = createRehearsals({ clock, logger, pluginFolders: config.plugins })
    const pdfs = createPdfs({ clock, logger })
    const looking: LookingNeeds = { checks: checks.playbooks, outlines: new Outlines(checks.playbooks, clock), plugins, turns, clock }
    const playbooks = createPlaybookLibrary({ store, plugins, clock, checks: checks.runs, turns })
    const ends = new NamedHints(hints.topic('ends'), clock)
    const serves = hints.topic('serves')
    const watch = new EndWatch(store, clock, ends, (text) => vault.fingerprint(`an end ${text}`), serves)
    const given = new GivenAlerts(clock, ids, (process) => vault.fingerprint(`the alerts of ${process}`))
    const arrivals = new Arrivals(clock)
    const handOver = new HandOver(store.alerts, queue, clock, logger, given)
    const recent = new RecentAlerts()
    const sweeper = new Sweeper(store, queue, clock, logger, config.deathLimit)
    const metrics = new Metrics({ store, clock, version, agents: () => relay.connected })
    const spans = config.traces && new SpanOutbox(config.traces, { clock, logger, version, ca: config.ca })
    const tracer = spans && new Tracer(spans, clock, ids)
    const notifications = createNotifications(config, store, vault, logger, seams, metrics)
    told = notifications
    const revocations = new NamedHints(hints.topic('agents'), clock)
    const connectionChanges = new NamedHints(hints.topic('connections'), clock)
    const shared = vault.fingerprint('the processes of this installation')
    const relay = new Relay({ store, clock, ids, logger, version, directory, revocations, shared })
    const isolates = createIsolates(handlers, clock)
    const scriptIsolates = createIsolates(scripts, clock)
    const callDeps: CallDeps = {
      vault,
      egress,
      route: relay.route,
      clock,
      limiter: new RateLimiter(clock, permits),
      tokens: new AccessTokens(store.tokens, vault, clock, ids),
      detections: new Detections(clock),
      answers: new Answers(turns),
      isolates,
      logger,
      calls: new CallLog(logger, clock),
      meter: metrics,
    }
    const connections = new CurrentConnections(store, clock, connectionChanges)
    const caller = createSkillCaller(store, connections, callDeps)
    const engine: Engine = {
      store,
      playbooks,
      plugins,
      policies: currentPolicies(store, clock),
      clock,
      logger,
      meter: metrics,
      ...(tracer && { tracer }),
      caller: tracer ? tracer.watch(caller) : caller,
      scripts: createScripts(scriptIsolates, clock, turns),
      turns,
      retryDelays: config.retryDelays,
      deathLimit: config.deathLimit,
    }
    const close = async (): Promise<void> => {
      await sweeper.stop()
      await notifications.close()
      relay.close()
      await directory.close()
      await handOver.settled()
      await queue.close()
      await Promise.all([isolates.close(), scriptIsolates.close(), checks.close(), rehearsals.close(), pdfs.close()])
      await callDeps.calls.failures.close()
      permits.close()
      feed.close()
      ends.close()
      revocations.close()
      connectionChanges.close()
      hints.close()
      await egress.close()
      await spans?.close()
      await store.close()
      await storeFailures(logger, clock).close()
    }
    return {
      ...seams,
      config,
      logger,
      store,
      feed,
      queue,
      callDeps,
      turns,
      plugins,
      checks,
      rehearsals,
      pdfs,
      looking,
      playbooks,
      engine,
      connections,
      connectionChanges,
      watch,
      serves,
      arrivals,
      handOver,
      recent,
      given,
      sweeper,
      notifications,
      relay,
      metrics,
      tracer,
      imported,
      close,
    }
  } catch (error) {
    await directory.close()
    feed.close()
    await backends.close()
    throw error
  }
}

/** Collects what the API and the fetches need from these rooms, besides the store. */
export function apiParts(parts: Parts) {
  const {
    clock,
    ids,
    store,
    feed,
    queue,
    callDeps,
    turns,
    notifications,
    relay,
    plugins,
    engine,
    connectionChanges,
    arrivals,
    handOver,
    recent,
    watch,
    metrics,
    tracer,
    config,
    logger,
  } = parts
  const ingest = createIngest({ store, handOver, recent, clock, ids, turns, arrivals, meter: metrics, ...(tracer && { tracer }) })
  const calls = createReadCalls(store, plugins, callDeps, ids)
  const submitter = new Submitter(ingest, turns, config.bodyLimit)
  return {
    feed,
    turns,
    decisions: new DecisionService(store, queue, clock),
    runs: new RunService(store, queue, clock),
    undo: new UndoService(store, plugins, queue, clock),
    ingest,
    investigations: createInvestigations(store, handOver, clock, watch),
    connections: createConnections(store, callDeps.vault, plugins, clock, ids, connectionChanges),
    manualCalls: createManualCalls(store, plugins, engine.policies, callDeps, ids),
    webhooks: notifications.webhooks,
    fetches: new Fetches({ store, plugins, calls, clock, ids }),
    fetcher: new Fetcher({ store, calls, submitter, clock, ids, logger, meter: metrics }),
    relay,
    metrics,
  }
}
