import { expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import { type Alert, type AlertUuid, asId } from '../../domain/index.ts'
import { NamedHints } from '../../hints/index.ts'
import type { Store } from '../../storage/index.ts'
import { EndWatch } from './end-watch.ts'

const uuid = asId<AlertUuid>('a')
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function watched(first: Partial<Alert>) {
  const alert = { uuid, type: 't', status: 10, ...first } as { -readonly [K in keyof Alert]: Alert[K] }
  const clock = new ManualClock()
  let looks = 0
  const get = async (): Promise<readonly Alert[]> => {
    looks += 1
    return [{ ...alert }]
  }
  const watch = new EndWatch({ alerts: { get } } as unknown as Store, clock, new NamedHints(null, clock))
  let done = false
  const begin = async (signal = new AbortController().signal, isNew = false): Promise<Alert | null> => {
    const ended = await watch.ended(uuid, signal, isNew)
    done = true
    return ended
  }
  return { alert, clock, watch, begin, isDone: () => done, looks: () => looks }
}

test('callers that wait are told at once when this process ends the run, and nothing is read', async () => {
  const { alert, watch, begin, isDone, looks } = watched({})
  const waiting = begin()
  await turn()
  expect(isDone()).toBe(false)
  const before = looks()
  watch.notify(uuid, { ...alert, status: 15 })
  expect(await waiting).toMatchObject({ uuid, status: 15 })
  expect(looks()).toBe(before)
})

test('an alert that ended without a run is read', async () => {
  const { alert, watch, begin } = watched({})
  const waiting = begin()
  await turn()
  alert.status = 15
  watch.notify(uuid, null)
  expect(await waiting).toMatchObject({ status: 15 })
})

test('an end in another process is found by looking', async () => {
  const { alert, clock, begin } = watched({})
  const waiting = begin()
  await turn()
  alert.status = 20
  clock.advance(250)
  expect(await waiting).toMatchObject({ status: 20 })
})

test('a new alert is not read at once, only if no end is told for a while', async () => {
  const { alert, clock, begin, looks } = watched({})
  const waiting = begin(new AbortController().signal, true)
  await turn()
  expect(looks()).toBe(0)
  alert.status = 15
  clock.advance(250)
  expect(await waiting).toMatchObject({ status: 15 })
})

test.each([
  ['has ended already', { status: 15 }],
  ['has no type', { type: null, status: 0 }],
] as const)('nobody waits for an alert that %s', async (_name, first) => {
  await watched(first).begin()
})

test('an abort ends the wait, and nothing is looked up any more', async () => {
  const { clock, begin, looks } = watched({})
  const abort = new AbortController()
  const waiting = begin(abort.signal)
  await turn()
  abort.abort()
  expect(await waiting).toBeNull()
  const before = looks()
  clock.advance(10_000)
  await turn()
  expect(looks()).toBe(before)
})
