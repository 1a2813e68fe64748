import { AccessTokens, Answers, CallLog, createSkillCaller, Detections, RateLimiter } from '../../runtime/connection/index.ts'
import type { Connection } from '../../runtime/domain/index.ts'
import { createEgress } from '../../runtime/egress/index.ts'
import {
  CurrentConnections,
  DecisionService,
  EndWatch,
  type Engine,
  RunService,
  Sweeper,
  startWorker,
  UndoService,
  type Worker,
} from '../../runtime/engine/index.ts'
import { Arrivals, noTurns } from '../../runtime/fairness/index.ts'
import { NamedHints } from '../../runtime/hints/index.ts'
import { createIngest, createInvestigations, HandOver, type Ingest, type Investigations, RecentAlerts } from '../../runtime/ingest/index.ts'
import type { PlaybookLibrary } from '../../runtime/playbook/index.ts'
import type { Isolates, PluginLibrary, Scripts } from '../../runtime/plugin/index.ts'
import { currentPolicies } from '../../runtime/policy/index.ts'
import { openEmbeddedQueue, type Queue } from '../../runtime/queue/index.ts'
import { LocalPermitSource } from '../../runtime/rate-limit/index.ts'
import type { Store } from '../../runtime/storage/index.ts'
import type { Slot } from './scenario.ts'
import { Link } from './seams/link.ts'
import type { Network } from './seams/network.ts'
import type { SharedQueue } from './seams/queue.ts'
import { storeOver } from './seams/store.ts'
import type { Weather } from './seams/weather.ts'
import { loggerOf } from './world/logger.ts'
import type { Machine } from './world/machine.ts'
import { type Book, plugin, plugins, vault } from './world/shared.ts'

/** What all processes share. */
export interface Outside {
  readonly store: Store
  /** Null: each process has one of its own. */
  readonly queue: SharedQueue | null
  readonly network: Network
  readonly weather: Weather
  /** Keyed by alert type. */
  readonly books: ReadonlyMap<string, Book>
}

/** One process of the runtime, with its rooms connected as in `runtime/app/assemble.ts`. */
export interface Process {
  readonly machine: Machine
  readonly slot: Slot
  readonly ingest: Ingest
  readonly investigations: Investigations
  readonly desk: DecisionService
  readonly runs: RunService
  readonly undo: UndoService
  readonly pauses: Store['pauses']
  readonly sweeper: Sweeper
  /** Stops it normally: work is finished or handed over. */
  stop(): Promise<void>
}

/** As in `runtime/app/start.ts`. */
const patience = 10_000
/** The defaults. */
const retryDelays = [60_000, 300_000, 900_000]
/** Never reached. Processes die at random here, so a run on which several die is no poison run. */
const deathLimit = 1_000

/** Isolates run in processes of their own, which cannot be simulated. Other tests cover them. */
const nowhere: Isolates & Scripts = {
  run: () => Promise.reject(new Error('no isolates are simulated')),
  close: async () => {},
} as unknown as Isolates & Scripts

const never = new Promise<never>(() => {})

const pluginLibrary: PluginLibrary = { active: async () => plugins, byDigest: async () => plugin, forget: () => {} }

function playbookLibrary(books: ReadonlyMap<string, Book>): PlaybookLibrary {
  const find = (fits: (book: Book, type: string) => boolean): Book['plan'] => {
    for (const [type, book] of books) if (fits(book, type)) return book.plan
    throw new Error('no such playbook')
  }
  return {
    resolve: async ({ type }) => find((_, name) => name === type),
    byDigest: async (_scope, digest) => find(({ plan }) => plan.digest === digest),
    forget: () => {},
  }
}

/** @throws the error that a process ends with if it cannot start: `store_unavailable` */
export async function startProcess(
  machine: Machine,
  slot: Slot,
  { store: shared, queue: common, network, weather, books }: Outside,
): Promise<Process> {
  const { clock, ids } = machine
  const logger = loggerOf(machine)
  const alone = common === null
  const store = storeOver(shared, machine, new Link(machine, weather, 'store', alone))
  const queue: Queue =
    common?.of(machine, new Link(machine, weather, 'queue', false)) ?? openEmbeddedQueue(clock, (error) => machine.world.fail(String(error)))
  const handOver = new HandOver(store.alerts, queue, clock, logger)
  const recent = new RecentAlerts()
  const watch = new EndWatch(store, clock, new NamedHints(null, clock), String, null)
  const sweeper = new Sweeper(store, queue, clock, logger, deathLimit)
  const deps = {
    vault,
    egress: createEgress({ ca: [], allow: [] }, clock, network.of(machine)),
    // The network carries what goes over it. No connection is opened here.
    route: ({ remoteAgent }: Pick<Connection, 'remoteAgent'>) => (remoteAgent === null ? null : { key: remoteAgent, open: () => never }),
    clock,
    limiter: new RateLimiter(clock, new LocalPermitSource(clock)),
    tokens: new AccessTokens(store.tokens, vault, clock, ids),
    detections: new Detections(clock),
    answers: new Answers(noTurns),
    isolates: nowhere,
    logger,
    calls: new CallLog(logger, clock),
  }
  const connections = new CurrentConnections(store, clock, new NamedHints(null, clock))
  const engine: Engine = {
    store,
    playbooks: playbookLibrary(books),
    plugins: pluginLibrary,
    policies: currentPolicies(store, clock),
    clock,
    logger,
    caller: createSkillCaller(store, connections, deps),
    scripts: nowhere,
    retryDelays,
    deathLimit,
  }
  const arrivals = new Arrivals(clock)
  let worker: Worker | null = null
  if (slot.worker)
    worker = await startWorker({
      engine,
      connections,
      queue,
      watch,
      recent: (uuid) => recent.take(uuid),
      claiming: (uuid) => handOver.claiming(uuid),
      clock,
      ids,
      logger,
      slots: { concurrency: slot.concurrency, arrivals },
    })
  if (slot.sweeps) sweeper.start()
  if (alone) await sweeper.sweepAll()
  return {
    machine,
    slot,
    ingest: createIngest({ store, handOver, recent, clock, ids, turns: noTurns, arrivals }),
    investigations: createInvestigations(store, handOver, clock, watch),
    desk: new DecisionService(store, queue, clock),
    runs: new RunService(store, queue, clock),
    undo: new UndoService(store, pluginLibrary, queue, clock),
    pauses: store.pauses,
    sweeper,
    async stop() {
      await worker?.stop(patience)
      await sweeper.stop()
      await handOver.settled()
      await queue.close()
    },
  }
}
