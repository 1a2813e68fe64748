import type { Reply } from '../../simulators/faults.ts'
import type { Pki } from '../../simulators/pki.ts'
import { type SimulatedRequest, type SimulatorServer, serveSimulator } from '../../simulators/server.ts'
import type { Random } from '../../support/seeded.ts'

/**
 * The longest delay of an answer after its work, in milliseconds. So a kill meets writes whose answers are on
 * their way.
 */
const slowest = 120
/** How often the ledger notes the time, in milliseconds. */
const tick = 50

/** The external system, in the test's own process. It survives every kill, and knows which requests arrived. */
export interface Ledger {
  readonly server: SimulatorServer
  /** How often each address was written to. For `/keyed/`: how many different keys wrote to it. */
  writes(path: string): number
  /**
   * For each write to an address: a time before which it had not arrived. A test process that is late itself reads a request late,
   * so it is the time of an earlier turn of the event loop.
   */
  arrivals(path: string): readonly number[]
  /** Addresses with a write whose answer was lost on the way, and how many requests had come before. */
  readonly lost: ReadonlyMap<string, number>
  /** How many requests had come when an address was last looked up. */
  lookedAt(path: string): number
  /** All addresses that were written to. */
  readonly written: readonly string[]
  /** What webhooks told it, as `<type> <subject>`, by the id of the delivery. */
  readonly told: ReadonlyMap<string, string>
  /** How many requests came. */
  readonly requests: number
  close(): Promise<void>
}

/** The address of the webhook. */
export const hookPath = '/hook'

/** Returns the fact that a delivery is about, as `<type> <subject>`. */
function factOf(body: string): string {
  const { type, data } = JSON.parse(body) as { readonly type: string; readonly data: Readonly<Record<string, unknown>> }
  return `${type} ${String(data['decision_id'] ?? (type === 'run.failed' ? data['run_id'] : data['case_id']))}`
}

/** @param random decides when each request is answered */
export async function startLedger(pki: Pki, random: Random): Promise<Ledger> {
  const writers = new Map<string, string[]>()
  const lost = new Map<string, number>()
  const looks = new Map<string, number>()
  const told = new Map<string, string>()
  const arrivals = new Map<string, number[]>()
  let requests = 0
  /** The times of the last turns of the event loop, the oldest first. A request passes a proxy of this process, so it takes several. */
  let turns = [Date.now(), Date.now(), Date.now(), Date.now()]
  const ticking = setInterval(() => {
    turns = [...turns.slice(1), Date.now()]
  }, tick)

  const answer = ({ method, path, headers, body }: SimulatedRequest): Reply => {
    if (path === hookPath) {
      told.set(String(headers['webhook-id']), factOf(body))
      return { status: 204, body: '' }
    }
    requests += 1
    if (method === 'GET') {
      looks.set(path, requests)
      return { status: 200, body: JSON.stringify({ there: writers.has(path) }) }
    }
    arrivals.set(path, [...(arrivals.get(path) ?? []), turns[0] ?? 0])
    const key = String(headers['idempotency-key'] ?? requests)
    const before = writers.get(path) ?? []
    if (!before.includes(key)) writers.set(path, [...before, key])
    return { status: 200, body: JSON.stringify({ entry: path }), written: true }
  }

  const server = await serveSimulator(answer, {
    pki,
    port: 0,
    remember: 0,
    answersAfter: () => random(slowest),
    onLost: ({ method, path }) => method !== 'GET' && lost.set(path, requests),
  })
  return {
    server,
    writes: (path) => writers.get(path)?.length ?? 0,
    arrivals: (path) => arrivals.get(path) ?? [],
    lost,
    lookedAt: (path) => looks.get(path) ?? -1,
    told,
    get written() {
      return [...writers.keys()]
    },
    get requests() {
      return requests
    },
    close() {
      clearInterval(ticking)
      return server.close()
    },
  }
}
