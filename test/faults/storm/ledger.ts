import type { Reply } from '../../simulators/faults.ts'
import type { Pki } from '../../simulators/pki.ts'
import { type SimulatedRequest, type SimulatorServer, serveSimulator } from '../../simulators/server.ts'
import type { Random } from '../../support/seeded.ts'

/** Answers come up to so much later than the work that they are about: a kill then meets writes whose answer is on its way. Milliseconds. */
const slowest = 120

/** The system at the other end, in the test's own process: it lives on whatever dies, and knows what arrived. */
export interface Ledger {
  readonly server: SimulatorServer
  /** How often each address was written to; of `/keyed/` how many different keys wrote to it. */
  writes(path: string): number
  /** Addresses whose write was done and whose answer was lost on the way, with how many requests had come before. */
  readonly lost: ReadonlyMap<string, number>
  /** How many requests had come when an address was looked at last. */
  lookedAt(path: string): number
  /** All addresses that were written to. */
  readonly written: readonly string[]
  /** What webhooks told it, as `<type> <id of what it is about>`, by the id of the delivery. */
  readonly told: ReadonlyMap<string, string>
  /** How many requests came. */
  readonly requests: number
}

/** Where webhooks tell what happens. */
export const hookPath = '/hook'

/** What a delivery is about: one fact, however often it is told. */
function factOf(body: string): string {
  const { type, data } = JSON.parse(body) as { readonly type: string; readonly data: Readonly<Record<string, unknown>> }
  return `${type} ${String(data['decision_id'] ?? (type === 'run.failed' ? data['run_id'] : data['case_id']))}`
}

/** @param random when each is answered */
export async function startLedger(pki: Pki, random: Random): Promise<Ledger> {
  const writers = new Map<string, string[]>()
  const lost = new Map<string, number>()
  const looks = new Map<string, number>()
  const told = new Map<string, string>()
  let requests = 0

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
    lost,
    lookedAt: (path) => looks.get(path) ?? -1,
    told,
    get written() {
      return [...writers.keys()]
    },
    get requests() {
      return requests
    },
  }
}
