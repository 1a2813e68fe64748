import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Logger } from 'pino'
import { type Api, type ApiServices, buildApi, buildHealthApi } from '../api/index.ts'
import { type Config, systemClock, version } from '../config/index.ts'
import { createEvidenceSigner } from '../connection/index.ts'
import { createConsole } from '../console/index.ts'
import { pauseSentence, systemScope } from '../domain/index.ts'
import { createConnectionUses, startWorker, type Worker } from '../engine/index.ts'
import { messageOf, TocsinError } from '../errors/index.ts'
import { createEvidence } from '../evidence/index.ts'
import { systemCode } from '../files/index.ts'
import { hostPort } from '../formats/index.ts'
import { loadPackages } from '../packages/index.ts'
import type { FolderWatch } from '../playbook/index.ts'
import { createRecordings } from '../rehearsal/recorded/index.ts'
import { createRetraces } from '../retrace/index.ts'
import { ensureAdminKey } from './admin-key.ts'
import { integrationViews, playbookServices, policiesOf } from './api-services.ts'
import { apiParts, assemble, type Parts } from './assemble.ts'
import { type Backends, openBackends } from './backends.ts'
import { watchPlaybookFolders } from './playbook-folders.ts'
import { readyCheck } from './ready-check.ts'
import { machine, type Seams } from './seams.ts'

/** The roles of a process. */
export interface Roles {
  readonly api: boolean
  readonly worker: boolean
}

export interface Running {
  /** The URL at which the process listens. */
  readonly url: string
  /** The new admin key. Only at the first start. */
  readonly firstKey: { readonly value: string; readonly file: string } | null
  readonly parts: Parts
  /** Takes no more work, gives requests and runs the configured time to end, hands over unfinished runs, and closes everything. */
  stop(): Promise<void>
}

function servicesOf(parts: Parts, { fetcher: _, ...ownParts }: ReturnType<typeof apiParts>): ApiServices {
  const { store, queue, logger, config, plugins, clock, ids } = parts
  const recordings = createRecordings(store, parts.playbooks, ownParts.turns)
  return {
    ...ownParts,
    store,
    clock,
    ids,
    logger,
    bodyLimit: config.bodyLimit,
    trustedProxies: config.trustedProxies,
    version,
    playbooks: playbookServices(parts, ownParts.connections, recordings),
    policies: policiesOf(parts),
    pdfs: parts.pdfs,
    recordings,
    evidence: createEvidence(store, createEvidenceSigner(parts.callDeps.vault), ownParts.turns, clock, version),
    retraces: createRetraces(store, parts),
    resumed: () => parts.sweeper.sweepSoon(),
    integrations: integrationViews(plugins),
    connectionUses: createConnectionUses(store, parts.looking),
    console: createConsole(),
    ready: () => Promise.all([readyCheck('store', () => store.ping(), clock), readyCheck('queue', () => queue.ping(), clock)]),
  }
}

/** Logs the active pauses, so that nobody who starts a process wonders why nothing happens. */
async function tellPauses({ store, logger }: Parts): Promise<void> {
  for (const pause of await store.pauses.standing(systemScope)) logger.warn({ pause: pause.id }, `paused: ${pauseSentence(pause)}`)
}

const listenRemedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another program listens there: stop it, or give another --port; 0 takes a free one.',
  EACCES: 'Ports below 1024 are for the administrator: give a --port above.',
  EADDRNOTAVAIL: 'This machine does not have that address: give one of its own as --host, 127.0.0.1 for this machine alone, or 0.0.0.0 for all.',
  ENOTFOUND: 'No address is known for that name: give an address as --host, such as 127.0.0.1.',
}

async function listen(app: Api, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const remedy = listenRemedies[systemCode(error) ?? '']
    throw new TocsinError('config_invalid', `--host, --port: cannot listen on ${hostPort(host, port)}: ${messageOf(error)}`, [], {
      cause: error,
      ...(remedy !== undefined && { remedy }),
    })
  }
}

function addressOf(host: string, port: number): string {
  return `http://${hostPort(host, port)}`
}

/** Returns the address under which other machines reach this one, if it listens on all of its addresses. */
function reachable(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const outer = own.filter(({ internal }) => !internal)
  return (outer.find(({ family }) => family === 'IPv4') ?? outer[0])?.address ?? '127.0.0.1'
}

/** Accepts no more requests. After `limit` milliseconds, cuts unanswered requests and the tunnels of agents. Until then, agents leave by themselves. */
async function closeApi(app: Api, { relay }: Parts, limit: number): Promise<void> {
  const cancel = systemClock.after(limit, () => {
    app.server.closeAllConnections()
    relay.close()
  })
  await app.close()
  cancel()
}

/** Takes no more runs, and lets those in work end. They may still call through the agents of this process, so these leave afterwards. */
async function stopRuns(worker: Worker | null, { relay }: Parts, limit: number): Promise<void> {
  try {
    await worker?.stop(limit)
  } finally {
    relay.leave()
  }
}

/**
 * Loads what a start leaves out, in steps, so that the first alert need not wait for it. Reports nothing: if a part fails, whoever needs it says so.
 */
async function loadTheRest({ plugins, callDeps }: Parts): Promise<void> {
  try {
    await loadPackages()
    await callDeps.egress.prepare()
    await plugins.active()
  } catch {
    // The store may not answer.
  }
}

/**
 * Starts one process with the given roles.
 * @param seams by default those of this machine
 * @param opening the store and the queue, if they are opening already
 * @param stopping if it aborts, the process closes what is open and does not begin to listen
 * @throws TocsinError the errors of `assemble`; `config_invalid` if the port is taken; the reason of `stopping`
 */
export async function start(
  config: Config,
  roles: Roles,
  logger: Logger,
  seams: Seams = machine,
  opening: Promise<Backends> = openBackends(config, logger, seams),
  stopping?: AbortSignal,
): Promise<Running> {
  const parts = await assemble(config, logger, seams, opening)
  const { clock, ids, engine, queue, watch, arrivals, handOver, recent, given, sweeper, notifications } = parts
  let worker: Worker | null = null
  let folders: FolderWatch | null = null
  const ownParts = apiParts(parts)
  const services = servicesOf(parts, ownParts)
  const app = await (roles.api ? buildApi(services) : buildHealthApi(services))
  const stop = async (): Promise<void> => {
    // Stop both at the same time: during a long request the worker must not take more runs.
    await Promise.all([closeApi(app, parts, config.stopWithin), folders?.stop(), stopRuns(worker, parts, config.stopWithin), ownParts.fetcher.stop()])
    await parts.close()
  }
  try {
    stopping?.throwIfAborted()
    const firstKey = roles.api ? await ensureAdminKey(parts.store, config, clock, ids) : null
    if (roles.worker)
      worker = await startWorker({
        engine,
        connections: parts.connections,
        queue,
        watch,
        recent: (uuid) => recent.take(uuid),
        given: (job) => given.open(job),
        claiming: (uuid) => handOver.claiming(uuid),
        clock,
        ids,
        logger,
        // With MongoDB, fewer runs at once would share fewer commands (decision 137).
        slots: { concurrency: config.concurrency, ...(config.backends.kind === 'embedded' && { arrivals }) },
      })
    await tellPauses(parts)
    sweeper.start()
    notifications.notifier.start()
    // Whoever calls external systems for runs calls them for fetches too.
    if (roles.worker) ownParts.fetcher.start()
    folders = watchPlaybookFolders({ ...parts, folders: config.playbooks }, parts.playbooks, parts.imported)
    // An embedded queue starts empty, so hand over the waiting work of the store now. The sweeper would only find it when it is overdue.
    if (config.backends.kind === 'embedded') await sweeper.sweepAll()
    stopping?.throwIfAborted()
    // The others must know of this process before anybody can ask it something.
    if (roles.api) await parts.serves?.join()
    await listen(app, config)
    const { port } = app.server.address() as AddressInfo
    const url = addressOf(config.host, port)
    void loadTheRest(parts)
    // Only a process with the API has tunnels of agents.
    if (roles.api) parts.relay.listensAt(config.peerUrl ?? addressOf(reachable(config.host), port))
    return { url, firstKey, parts, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
