import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { type Alert, type AlertUuid, asId, type OrganizationId } from '../domain/index.ts'
import type { Queue } from '../queue/index.ts'
import type { AlertStore } from '../storage/index.ts'
import { createLogger } from '../telemetry/index.ts'
import { HandOver } from './hand-over.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const id = (name: string): AlertUuid => asId<AlertUuid>(name)

function alert(uuid: string): Alert {
  return { uuid: id(uuid), organization: asId<OrganizationId>('acme'), type: 'phishing', retryCount: 0 } as Alert
}

/** A handover whose queue and store keep what they are given. */
function stage(enqueue: () => Promise<void> = async () => {}) {
  const submitted: string[][] = []
  const store = { submit: async (_scope: unknown, uuids: readonly string[]) => void submitted.push([...uuids]) } as unknown as AlertStore
  const clock = new ManualClock()
  const logger = createLogger({ level: 'fatal' })
  return { submitted, clock, handOver: new HandOver(store, { enqueue } as unknown as Queue, clock, logger) }
}

test('handovers are recorded a moment later, together, without the alerts that a worker here claims', async () => {
  const { submitted, clock, handOver } = stage()
  handOver.handOver([alert('a'), alert('b')])
  await turn()
  handOver.handOver([alert('c'), alert('d')])
  await turn()
  handOver.claiming(id('a'))
  handOver.claiming(id('d'))
  expect(submitted).toEqual([])
  await clock.advance(250)
  await turn()
  expect(submitted).toEqual([['b'], ['c']])
})

test('if all are claimed, nothing is recorded, even if a worker is quicker than the queue', async () => {
  const queued = Promise.withResolvers<void>()
  const { submitted, clock, handOver } = stage(() => queued.promise)
  handOver.handOver([alert('a')])
  handOver.claiming(id('a'))
  queued.resolve()
  await turn()
  await clock.advance(250)
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
  await clock.advance(250)
  expect(submitted).toEqual([])
  refuses = false
  handOver.handOver([alert('a')])
  await handOver.settled()
  expect(submitted).toEqual([['a']])
})
