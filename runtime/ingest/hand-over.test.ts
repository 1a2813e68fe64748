import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { type Alert, type AlertUuid, asId, type Millis, type OrganizationId } from '../domain/index.ts'
import type { Job, Queue, Sealed } from '../queue/index.ts'
import type { AlertStore } from '../storage/index.ts'
import { createLogger } from '../telemetry/index.ts'
import { HandOver } from './hand-over.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const id = (name: string): AlertUuid => asId<AlertUuid>(name)

function alert(uuid: string): Alert {
  return { uuid: id(uuid), organization: asId<OrganizationId>('acme'), type: 'phishing', retryCount: 0 } as Alert
}

/** A handover whose queue and store keep what they are given. */
function stage(enqueue: () => Promise<void> = async () => {}, recorded: Promise<void> = Promise.resolve()) {
  const submitted: string[][] = []
  const times: Millis[] = []
  const submit = (_scope: unknown, uuids: readonly string[], at: Millis): Promise<void> => {
    submitted.push([...uuids])
    times.push(at)
    return recorded
  }
  const store = { submit } as unknown as AlertStore
  const clock = new ManualClock()
  const logger = createLogger({ level: 'fatal' })
  return { submitted, times, clock, handOver: new HandOver(store, { enqueue } as unknown as Queue, clock, logger) }
}

test('handovers of a quarter of a second are recorded together two seconds later, without the alerts that a worker here claims', async () => {
  const { submitted, clock, handOver } = stage()
  handOver.handOver([alert('a'), alert('b')])
  await turn()
  clock.advance(200)
  handOver.handOver([alert('c'), alert('d')])
  await turn()
  clock.advance(50)
  handOver.handOver([alert('e')])
  await turn()
  handOver.claiming(id('a'))
  handOver.claiming(id('d'))
  clock.advance(1_749)
  await turn()
  expect(submitted).toEqual([])
  clock.advance(1)
  await turn()
  expect(submitted).toEqual([['b', 'c']])
  clock.advance(250)
  await turn()
  expect(submitted).toEqual([['b', 'c'], ['e']])
})

test('each is recorded with a time at which it was already handed over, and not with that of the record', async () => {
  const { times, clock, handOver } = stage()
  const began = clock.now()
  handOver.handOver([alert('a')])
  await turn()
  clock.advance(200)
  handOver.handOver([alert('b')])
  await turn()
  clock.advance(2_000)
  await turn()
  expect(times).toEqual([began + 200])
})

test('a call of the store records at most 500 handovers, and the next one leaves out what was claimed during the first', async () => {
  const first = Promise.withResolvers<void>()
  const { submitted, clock, handOver } = stage(async () => {}, first.promise)
  handOver.handOver(Array.from({ length: 600 }, (_, index) => alert(String(index))))
  await turn()
  clock.advance(2_000)
  await turn()
  expect(submitted.map(({ length }) => length)).toEqual([500])
  handOver.claiming(id('550'))
  first.resolve()
  await handOver.settled()
  expect(submitted.map(({ length }) => length)).toEqual([500, 99])
})

test('if all are claimed, nothing is recorded, even if a worker is quicker than the queue', async () => {
  const queued = Promise.withResolvers<void>()
  const { submitted, clock, handOver } = stage(() => queued.promise)
  handOver.handOver([alert('a')])
  handOver.claiming(id('a'))
  queued.resolve()
  await turn()
  clock.advance(2_000)
  await handOver.settled()
  expect(submitted).toEqual([])
})

test('settled records at once what waits, also what the queue takes only then', async () => {
  const queued = Promise.withResolvers<void>()
  let first = true
  const { submitted, handOver } = stage(() => {
    if (!first) return queued.promise
    first = false
    return Promise.resolve()
  })
  handOver.handOver([alert('a')])
  handOver.handOver([alert('b')])
  await turn()
  const settled = handOver.settled()
  queued.resolve()
  await settled
  expect(submitted).toEqual([['a'], ['b']])
})

test('what the queue refuses is not recorded, and a later handover of it is', async () => {
  let refuses = true
  const { submitted, clock, handOver } = stage(async () => {
    if (refuses) throw new Error('queue down')
  })
  handOver.handOver([alert('a')])
  await turn()
  clock.advance(2_000)
  await turn()
  expect(submitted).toEqual([])
  refuses = false
  handOver.handOver([alert('a')])
  await handOver.settled()
  expect(submitted).toEqual([['a']])
})

test('what is given with a job is the alert of that job, sealed, or nothing', async () => {
  const given: (string | undefined)[] = []
  const queue = {
    enqueue: async (jobs: readonly Job[], sealed: Sealed = () => undefined) => {
      for (const job of [...jobs].reverse()) given.push(sealed(job))
    },
  } as unknown as Queue
  const store = { submit: async () => {} } as unknown as AlertStore
  const [clock, logger] = [new ManualClock(), createLogger({ level: 'fatal' })]
  const seal = (job: Job, { uuid }: Alert): string => `${uuid} for ${job.run}`
  for (const seals of [{ seal }, null]) new HandOver(store, queue, clock, logger, seals).handOver([alert('a'), alert('b')])
  await turn()
  expect(given).toEqual(['b for b-r1', 'a for a-r1', undefined, undefined])
})

test('an alert that is being stored is handed over for its first investigation', async () => {
  const jobs: Job[] = []
  const { handOver } = stage(async (...given: unknown[]) => void jobs.push(...(given[0] as Job[])))
  const { retryCount: _, ...sent } = alert('a')
  handOver.handOverAhead([sent, { ...sent, uuid: id('untyped'), type: null }])
  await turn()
  expect(jobs).toMatchObject([{ alert: 'a', attempt: 1, run: 'a-r1' }])
})
