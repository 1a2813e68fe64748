import { type Logger, pino } from 'pino'
import { expect, test } from 'vitest'
import { type Alert, AlertStatus, type AlertUuid, asId, type OrganizationId, type RunId, type SessionId } from '../domain/index.ts'
import { type ErrorCode, TocsinError } from '../errors/index.ts'
import type { EndWatch } from './end-watch.ts'
import type { Engine } from './engine.ts'
import { Investigator } from './investigator.ts'
import type { Preparer } from './prepare.ts'

const job = { run: asId<RunId>('1'), alert: asId<AlertUuid>('a'), organization: asId<OrganizationId>('acme'), type: 'theft', attempt: 1 }
const pinned = { playbook: { name: 'main' }, playbooks: {}, connections: {} }
/** Jobs that are to be done as soon as there is a slot. */
const offered: (typeof job)[] = []
const alert = { type: 'theft', retryCount: 0, status: AlertStatus.submitted } as Alert

/** Of a process whose session is `ours`. */
function over(engine: Engine, preparer: Preparer, logger: Logger = pino({ enabled: false })): Investigator {
  const standing = { session: asId<SessionId>('ours'), signal: new AbortController().signal }
  const offer = (one: typeof job): void => void offered.push(one)
  return new Investigator(engine, preparer, () => standing, { watch: {} as EndWatch, recent: () => alert, offer, logger })
}

/** The levels of what was logged, and what is to be tried again. */
async function leave(code: ErrorCode): Promise<{ levels: string[]; again: readonly (typeof job)[] }> {
  const levels: string[] = []
  const logger = pino({ base: null }, { write: (line: string) => void levels.push(pino.levels.labels[JSON.parse(line).level] ?? '') })
  const preparer = { prepare: () => Promise.reject(new TocsinError(code, 'no')) } as unknown as Preparer
  const investigator = over({} as Engine, preparer, logger)
  await investigator.investigate(job)
  return { levels, again: investigator.abandoned }
}

test.each(['store_unavailable', 'playbook_changing'] as const)('a run that cannot begin for %s is tried again, and no defect', async (code) => {
  expect(await leave(code)).toEqual({ levels: ['warn'], again: [job] })
})

test('a run that a defect took is tried again, and logged as an error', async () => {
  expect(await leave('internal')).toEqual({ levels: ['error'], again: [job] })
})

test('a run that was cancelled waits for no place of its playbook', async () => {
  const claims: string[] = []
  const held = Promise.withResolvers<{ kind: 'over' }>()
  const store = {
    runs: {
      get: async (_: unknown, run: string) => ({ cancelled: run === 'cancelled' ? {} : null }),
      claim: (_: unknown, { run }: { run: string }) => {
        claims.push(run)
        return run === 'first' ? held.promise : Promise.resolve({ kind: 'over' })
      },
    },
    alerts: { get: async () => [alert] },
    pauses: { standing: async () => [] },
  }
  const preparer = { prepare: async () => ({ pins: { playbook: { name: 'one at a time' } }, concurrency: 1 }) } as unknown as Preparer
  const investigator = over({ store, clock: { now: () => 0 } } as unknown as Engine, preparer)
  const first = investigator.investigate({ ...job, run: asId<RunId>('first') })
  for (const run of ['second', 'cancelled']) await investigator.investigate({ ...job, run: asId<RunId>(run) })
  expect(claims).toEqual(['first', 'cancelled'])
  const stopped = investigator.stop()
  held.resolve({ kind: 'over' })
  await Promise.all([first, stopped])
  // Nor is what waited for a place begun while the process stops.
  expect(claims).toEqual(['first', 'cancelled'])
  expect(investigator.inWork).toEqual([])
})

test('what a fault took stays to be tried again while a pause keeps it, and until a claim is answered', async () => {
  const owner = asId<SessionId>('ours')
  const standing: object[] = []
  const claims: (() => object)[] = [
    () => {
      throw new TocsinError('store_unavailable', 'The store does not answer.')
    },
    () => ({ kind: 'over' }),
  ]
  const store = {
    runs: { get: async () => ({ state: 'running', owner, startedAt: 0, pins: pinned }), hold: async () => {}, claim: async () => claims.shift()?.() },
    pauses: { standing: async () => standing },
  }
  let now = 0
  const preparer = { prepare: async () => ({ pins: pinned, concurrency: null }) } as unknown as Preparer
  const engine = { store, clock: { now: () => now } } as unknown as Engine
  const investigator = over(engine, preparer)
  const beat = async (): Promise<void> => {
    now += 2_000
    for (const one of investigator.abandoned) await investigator.investigate(one)
  }
  await investigator.investigate(job)
  expect(investigator.abandoned).toEqual([job])
  standing.push({ id: 'p', target: { kind: 'everything' }, paused: { at: 0 }, resumed: null })
  for (let beats = 0; beats < 3; beats += 1) await beat()
  expect([investigator.abandoned, claims.length]).toEqual([[job], 1])
  standing.pop()
  await beat()
  expect([investigator.abandoned, claims.length]).toEqual([[], 0])
})
