import { type Logger, pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import {
  type Alert,
  AlertStatus,
  type AlertUnderWay,
  type AlertUuid,
  asId,
  type Digest,
  type Failure,
  type Fingerprint,
  type OrganizationId,
  type RunId,
  type SessionId,
} from '../../domain/index.ts'
import { type ErrorCode, TocsinError } from '../../errors/index.ts'
import { noTurns } from '../../fairness/index.ts'
import type { Job } from '../../queue/index.ts'
import type { RunPreparer } from '../prepare/prepare-run.ts'
import type { Engine } from '../run/engine.ts'
import type { EndWatch } from './end-watch.ts'
import { JobRunner } from './job-runner.ts'

const organization = asId<OrganizationId>('acme')
const job: Job = { run: asId<RunId>('1'), alert: asId<AlertUuid>('a'), organization, type: 'theft', attempt: 1 }
const pinned = { playbook: { name: 'main' }, playbooks: {}, connections: {} }
/** Jobs that the runner has queued for when there is a slot. */
let offered: Job[] = []
let alert: Alert
/** How often a process died while it prepared the alert, and the session that noted the preparation. */
let deathsBefore: number
let noted: number
/** How often the preparation was noted as finished. */
let waits: number
/** Whether this process has stored the alert itself. */
let own: boolean
/** What the preparation found. */
let fingerprint: Fingerprint | null
/** Set if this process is storing the alert. */
let underWay: AlertUnderWay | null
let clockNow: number
/** The alert that another process gave with the job. */
let givenAlert: Alert | undefined
/** Resolves when the store answers a read of the alert. */
let answered: Promise<void>
/** How often the alert was read. */
let alertReads: number
const alerts = {
  get: async () => {
    alertReads += 1
    await answered
    return [alert]
  },
  hold: async () => {},
  prepare: async () => {
    noted += 1
    return deathsBefore
  },
  prepared: async () => {
    waits += 1
  },
}

beforeEach(() => {
  answered = Promise.resolve()
  givenAlert = undefined
  ;[underWay, fingerprint] = [null, null]
  alertReads = 0
  ;[offered, deathsBefore, noted, waits, own, clockNow] = [[], 0, 0, 0, true, 0]
  alert = {
    uuid: job.alert,
    organization,
    type: 'theft',
    name: 'Theft',
    content: '',
    retryCount: 0,
    status: AlertStatus.submitted,
    createdAt: 0,
  } as Alert
})

/** Creates a job runner whose process has the session `ours`. */
function over(engine: Engine, preparer: RunPreparer, logger: Logger = pino({ enabled: false })): JobRunner {
  const standing = { session: asId<SessionId>('ours'), signal: new AbortController().signal }
  const offer = (one: Job): void => void offered.push(one)
  const common = { clock: { now: () => clockNow, after: () => () => {} }, turns: noTurns, deathLimit: 3, logger }
  const pauses = engine.store?.pauses ?? { standing: async () => [] }
  const whole = { ...common, ...engine, store: { ...engine.store, pauses, alerts } } as unknown as Engine
  const looking = Object.assign({ lookAhead: () => {} }, preparer) as unknown as RunPreparer
  return new JobRunner(whole, looking, () => standing, {
    watch: {} as EndWatch,
    recent: () => (own ? (underWay ?? alert) : undefined),
    given: () => givenAlert,
    claiming: () => {},
    offer,
    logger,
  })
}

test('a process without runs reads no cancellations: the store may be closed already', async () => {
  const lines: string[] = []
  let reads = 0
  const cancelled = (): Promise<never> => {
    reads += 1
    return Promise.reject(new TocsinError('store_unavailable', 'closed'))
  }
  const engine = { store: { runs: { cancelled } } } as unknown as Engine
  await over(engine, {} as RunPreparer, pino({}, { write: (line: string) => void lines.push(line) })).lookForCancellations()
  expect({ reads, lines }).toEqual({ reads: 0, lines: [] })
})

/** Returns the levels of the log lines, and the jobs to try again. */
async function leave(code: ErrorCode): Promise<{ levels: string[]; again: readonly Job[] }> {
  const levels: string[] = []
  const logger = pino({ base: null }, { write: (line: string) => void levels.push(pino.levels.labels[JSON.parse(line).level] ?? '') })
  const preparer = { prepare: () => Promise.reject(new TocsinError(code, 'no')) } as unknown as RunPreparer
  const jobRunner = over({} as Engine, preparer, logger)
  await jobRunner.run(job)
  return { levels, again: jobRunner.abandoned }
}

test.each(['store_unavailable', 'playbook_changing'] as const)(
  'a run that cannot begin because of %s is tried again, and is not a defect',
  async (code) => {
    expect(await leave(code)).toEqual({ levels: ['warn'], again: [job] })
  },
)

test('a run that was left because of a defect is tried again, and logged as an error', async () => {
  expect(await leave('internal')).toEqual({ levels: ['error'], again: [job] })
})

test('what the preparation needs is read while the alert is read, unless the job was enqueued before', async () => {
  own = false
  const begun: string[] = []
  const answer = Promise.withResolvers<void>()
  answered = answer.promise
  const standing = async (): Promise<[]> => {
    begun.push('pauses')
    return []
  }
  const preparer = {
    lookAhead: ({ organization: of }: Pick<Alert, 'organization'>) => void begun.push(of),
    prepare: () => Promise.reject(new TocsinError('store_unavailable', 'no')),
  } as unknown as RunPreparer
  const engine = { store: { pauses: { standing }, runs: { get: async () => null } } } as unknown as Engine
  const jobRunner = over(engine, preparer)
  const running = jobRunner.run(job)
  expect(begun).toEqual(['pauses', organization])
  answer.resolve()
  await running
  begun.length = 0
  answered = new Promise(() => {})
  void over(engine, preparer).run({ ...job, again: true })
  expect(begun).toEqual([])
})

test('a cancelled run does not wait for other runs of its playbook', async () => {
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
    pauses: { standing: async () => [] },
  }
  const preparer = { prepare: async () => ({ pins: { playbook: { name: 'one at a time' } }, concurrency: 1 }) } as unknown as RunPreparer
  const jobRunner = over({ store, clock: { now: () => 0 } } as unknown as Engine, preparer)
  const first = jobRunner.run({ ...job, run: asId<RunId>('first') })
  for (const run of ['second', 'cancelled']) await jobRunner.run({ ...job, run: asId<RunId>(run) })
  expect(claims).toEqual(['first', 'cancelled'])
  const stopped = jobRunner.stop()
  held.resolve({ kind: 'over' })
  await Promise.all([first, stopped])
  // A job that waited for room is not begun while the process stops either.
  expect(claims).toEqual(['first', 'cancelled'])
  expect(jobRunner.inWork).toEqual([])
})

test('a run that was left because of a fault is tried again until a claim is answered, also after a pause', async () => {
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
  const preparer = { prepare: async () => ({ pins: pinned, concurrency: null }) } as unknown as RunPreparer
  const engine = { store, clock: { now: () => now, after: () => () => {} } } as unknown as Engine
  const jobRunner = over(engine, preparer)
  const beat = async (): Promise<void> => {
    now += 2_000
    for (const one of jobRunner.abandoned) await jobRunner.run(one)
  }
  await jobRunner.run(job)
  expect(jobRunner.abandoned).toEqual([job])
  standing.push({ id: 'p', target: { kind: 'everything' }, paused: { at: 0 }, resumed: null })
  for (let beats = 0; beats < 3; beats += 1) await beat()
  expect([jobRunner.abandoned, claims.length]).toEqual([[job], 1])
  standing.pop()
  await beat()
  expect([jobRunner.abandoned, claims.length]).toEqual([[], 0])
})

/** Creates a job runner, and records its claims and how often it prepared. */
function claiming(answer: (claim: { readonly run: RunId }) => object) {
  const seen = { claims: [] as object[], prepared: 0 }
  const claim = async (_: unknown, one: { readonly run: RunId }): Promise<object> => {
    seen.claims.push(one)
    return answer(one)
  }
  const store = { runs: { get: async () => null, claim }, pauses: { standing: async () => [] } }
  const preparer = {
    prepare: async () => {
      seen.prepared += 1
      return { pins: pinned, concurrency: null, fingerprint }
    },
    refuse: (_: Alert, failure: Failure) => ({ pins: pinned, concurrency: null, refused: failure }),
  } as unknown as RunPreparer
  return { seen, investigator: over({ store } as unknown as Engine, preparer) }
}

test('an alert whose preparation killed a process is prepared beside few others, then alone', async () => {
  const { investigator, seen } = claiming(() => ({ kind: 'over' }))
  for (const [deaths, company] of [
    [1, 'few'],
    [2, 'none'],
  ] as const) {
    deathsBefore = deaths
    offered = []
    await investigator.run({ ...job, again: true })
    expect(offered).toEqual([{ ...job, again: true, company }])
    expect(seen).toEqual({ claims: [], prepared: 0 })
  }
  await investigator.run({ ...job, again: true, company: 'none' })
  expect([seen.prepared, seen.claims.length]).toEqual([1, 1])
})

test('an alert whose preparation killed too many processes is not prepared: its run fails at once', async () => {
  const { investigator, seen } = claiming(() => ({ kind: 'over' }))
  deathsBefore = 3
  await investigator.run({ ...job, again: true })
  expect(seen.prepared).toBe(0)
  expect(seen.claims).toHaveLength(1)
  expect(offered).toEqual([])
})

test.each([
  ['stored itself', true, {}, 0, true],
  ['stored itself, too long ago', true, {}, 1_000, false],
  ['read', false, {}, 0, true],
  ['read, a while after another process stored it', false, { createdAt: -60_000 }, 0, true],
  ['read, and then took long to prepare', false, {}, 1_000, false],
  ['read when it was claimed', false, { status: AlertStatus.inProgress }, 0, false],
] as const)('an alert that this process has %s: the store may rely on its names', async (_how, stored, parts, passes, relies) => {
  own = stored
  alert = { ...alert, alertId: 'ACME-EDR-1', organizationCode: 'ACME', ...parts }
  const { investigator, seen } = claiming(() => ({ kind: 'over' }))
  const prepare = alerts.prepare
  alerts.prepare = async () => {
    clockNow += passes
    return prepare()
  }
  await investigator.run(job)
  alerts.prepare = prepare
  expect(seen.claims).toHaveLength(1)
  expect('justStored' in (seen.claims[0] ?? {})).toBe(relies)
})

test.each([
  ['at once', 0, true],
  ['after a second', 1_000, false],
])('an alert that another process gave with the job is not read, and the store may rely on its names %s', async (_when, passes, relies) => {
  own = false
  const { investigator, seen } = claiming(() => ({ kind: 'over' }))
  // The clock of the other process may differ a little.
  givenAlert = { ...alert, alertId: 'ACME-EDR-1', organizationCode: 'ACME', createdAt: 20 }
  const prepare = alerts.prepare
  alerts.prepare = async () => {
    clockNow += passes
    return prepare()
  }
  await investigator.run({ ...job, sealed: 'sealed' })
  alerts.prepare = prepare
  expect(alertReads).toBe(0)
  expect(seen.claims.map((claim) => 'justStored' in claim)).toEqual([relies])
})

test('an alert that came with a job is used once: whenever the job is tried again, the alert is read', async () => {
  own = false
  givenAlert = alert
  const answers: (() => object)[] = [
    () => {
      throw new TocsinError('store_unavailable', 'away')
    },
    () => ({ kind: 'apart', company: 'none' }),
  ]
  const { investigator } = claiming(() => answers.shift()?.() ?? { kind: 'over' })
  await investigator.run({ ...job, sealed: 'sealed' })
  expect([alertReads, investigator.abandoned]).toEqual([0, [job]])
  for (const again of investigator.abandoned) await investigator.run(again)
  expect([alertReads, offered]).toEqual([1, [{ ...job, company: 'none' }]])
})

test('an alert that is being stored is claimed at once, and one with a fingerprint when it has a number', async () => {
  const { investigator, seen } = claiming(() => ({ kind: 'over' }))
  const number = Promise.withResolvers<Alert | null>()
  underWay = { sent: alert, stored: () => number.promise }
  await investigator.run(job)
  expect(seen.claims).toMatchObject([{ run: job.run, underWay: true }])
  fingerprint = { digest: asId<Digest>('d'), within: 1_000 }
  const other = investigator.run({ ...job, run: asId<RunId>('2') })
  await new Promise((resolve) => setImmediate(resolve))
  expect(seen.claims).toHaveLength(1)
  number.resolve({ ...alert, alertId: 'ACME-EDR-1', organizationCode: 'ACME' })
  await other
  expect(seen.claims[1]).toMatchObject({ justStored: { alertId: 'ACME-EDR-1' } })
  expect(alertReads).toBe(0)
})

test('a run that was claimed while the store failed is looked at again', async () => {
  const { investigator } = claiming(() => ({ kind: 'claimed', run: { epoch: 1, deaths: { inPlace: 0 } } }))
  underWay = { sent: alert, stored: async () => null }
  await investigator.run(job)
  expect(investigator.abandoned).toEqual([job])
})

test('a store may not rely on an alert that was handed over before, or whose preparation killed a process', async () => {
  const { investigator, seen } = claiming(() => ({ kind: 'over' }))
  await investigator.run({ ...job, again: true })
  deathsBefore = 1
  await investigator.run({ ...job, run: asId<RunId>('2'), company: 'few' })
  expect(seen.claims.map((claim) => 'justStored' in claim)).toEqual([false, false])
})

test('a run that may have fewer runs beside it than now is taken again', async () => {
  const { investigator } = claiming(() => ({ kind: 'apart', company: 'none' }))
  let inWork: readonly RunId[] = [job.run]
  const taken = { ...job, company: 'few' as const }
  await investigator.run(taken).then(() => {
    inWork = investigator.inWork
  })
  expect(offered).toEqual([{ ...job, company: 'none' }])
  expect(inWork).toEqual([])
})

test('preparing an alert is noted, unless the same type was prepared a moment ago', async () => {
  const { investigator } = claiming(() => ({ kind: 'over' }))
  await investigator.run(job)
  expect(noted).toBe(1)
  await investigator.run({ ...job, run: asId<RunId>('2') })
  expect(noted).toBe(1)
  await investigator.run({ ...job, again: true })
  expect(noted).toBe(2)
  alert = { ...alert, content: 'x'.repeat(20_000) }
  await investigator.run(job)
  expect(noted).toBe(3)
  alert = { ...alert, content: '', type: 'other' }
  await investigator.run(job)
  expect(noted).toBe(4)
})

test('an alert that a pause holds is no longer noted as being prepared', async () => {
  const paused = { id: 'p', target: { kind: 'everything' }, paused: { at: 0 }, resumed: null }
  const store = { runs: { get: async () => null, hold: async () => {} }, pauses: { standing: async () => [paused] } }
  const preparer = { prepare: async () => ({ pins: pinned, concurrency: null }) } as unknown as RunPreparer
  await over({ store } as unknown as Engine, preparer).run(job)
  expect([noted, waits]).toEqual([1, 1])
})

test('a job that waits for other runs of its playbook holds no slot, and is taken again when it may begin', async () => {
  const held = Promise.withResolvers<object>()
  const claim = (_: unknown, { run }: { readonly run: RunId }): Promise<object> =>
    run === 'first' ? held.promise : Promise.resolve({ kind: 'over' })
  const store = { runs: { get: async () => null, claim }, pauses: { standing: async () => [] } }
  const preparer = { prepare: async () => ({ pins: pinned, concurrency: 1 }) } as unknown as RunPreparer
  const one = over({ store } as unknown as Engine, preparer)
  const first = one.run({ ...job, run: asId<RunId>('first') })
  const second = { ...job, run: asId<RunId>('second'), again: true as const }
  await one.run(second)
  expect([one.inWork, offered]).toEqual([['first'], []])
  // If the process dies now, the second alert is not the cause.
  expect(waits).toBe(1)
  held.resolve({ kind: 'over' })
  await first
  expect(offered).toEqual([second])
})
