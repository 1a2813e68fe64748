import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import { type Alert, type AlertUuid, asId } from '../../domain/index.ts'
import { NamedHints } from '../../hints/index.ts'
import type { Store } from '../../storage/index.ts'
import { EndWatch } from './end-watch.ts'
import { endLine } from './told-ends.ts'

const uuid = asId<AlertUuid>('a')
const prove = (text: string): string => `proof-of-${text.length}`
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

type Watched = ReturnType<typeof watched>

/** @param serves the processes with the API; null: there is only this one */
function watched(first: Partial<Alert>, serves: { alone: boolean; ask: () => Promise<void> } | null = null) {
  const alert = { uuid, type: 't', status: 10, retryCount: 0, ...first } as { -readonly [K in keyof Alert]: Alert[K] }
  const clock = new ManualClock()
  let looks = 0
  const get = async (): Promise<readonly Alert[]> => {
    looks += 1
    return [{ ...alert }]
  }
  const hints = new NamedHints(null, clock)
  const watch = new EndWatch({ alerts: { get } } as unknown as Store, clock, hints, prove, serves)
  let done = false
  const begin = async (signal = new AbortController().signal, isNew = false): Promise<Alert | null> => {
    const ended = await watch.ended({ ...alert }, signal, isNew)
    done = true
    return ended
  }
  return { alert, clock, hints, watch, begin, isDone: () => done, looks: () => looks }
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

test('an end that another process tells with a proof is believed, and nothing is read', async () => {
  const { alert, hints, begin, looks } = watched({})
  const waiting = begin(new AbortController().signal, true)
  await turn()
  const ended = { status: 15, modifiedAt: 7, completedAt: 7, investigator: 'p', case: 'c', caseId: 'ACME-1' } as const
  hints.tell(endLine({ ...alert, ...ended } as never, prove))
  expect(await waiting).toEqual({ ...alert, ...ended })
  expect(looks()).toBe(0)
})

test.each([
  ['without a proof', (line: string) => line.slice(0, line.lastIndexOf(' '))],
  ['with the proof of another end', (line: string) => line.replace('"status":15', '"status":200')],
  ['of another attempt', (_: string, alert: Alert) => endLine({ ...alert, retryCount: 1, status: 20 }, prove)],
  ['that names only the alert', () => uuid],
] as const)('after a hint %s the store is read', async (_name, change) => {
  const { alert, hints, begin, isDone, looks } = watched({})
  const waiting = begin(new AbortController().signal, true)
  await turn()
  hints.tell(change(endLine({ ...alert, status: 15 }, prove), alert))
  await turn()
  expect([isDone(), looks()]).toEqual([false, 1])
  alert.status = 15
  hints.tell(uuid)
  expect(await waiting).toMatchObject({ status: 15 })
})

test.each([
  ['this process tells it late', (watch: EndWatch, before: Alert) => watch.notify(uuid, before)],
  ['it was read before', (watch: EndWatch) => watch.notify(uuid, null)],
] as const)('who waits for a retry is not told the end before it, if %s', async (_name, tell) => {
  const { alert, watch, begin, isDone } = watched({ status: 20 })
  const before: Alert = { ...alert }
  Object.assign(alert, { status: 5, retryCount: 1 })
  const waiting = begin(new AbortController().signal, true)
  Object.assign(alert, before)
  tell(watch, before)
  await turn()
  expect(isDone()).toBe(false)
  Object.assign(alert, { status: 15, retryCount: 1 })
  watch.notify(uuid, null)
  expect(await waiting).toMatchObject({ status: 15, retryCount: 1 })
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

describe('an end that is stored and not shown yet', () => {
  const isSettled = async (promise: Promise<unknown> | null): Promise<boolean> => {
    let settled = false
    void promise?.then(() => {
      settled = true
    })
    await turn()
    return settled
  }
  /** Tells the end in one of the two ways. */
  const ways = [
    ['by this process', ({ watch }: Watched, ended: Alert) => watch.stored(ended), ({ watch }: Watched, ended: Alert) => watch.notify(uuid, ended)],
    [
      'by another process',
      ({ hints }: Watched, ended: Alert) => hints.tell(endLine(ended, prove, true)),
      ({ hints }: Watched, ended: Alert) => hints.tell(endLine(ended, prove)),
    ],
  ] as const

  test.each(ways)('answers nobody yet beside another process with the API: told %s', async (_way, stored, shown) => {
    let asked = 0
    const ask = async (): Promise<void> => {
      asked += 1
    }
    const serves = { alone: false, ask }
    const subject = watched({}, serves)
    const { alert, watch, begin, isDone, looks } = subject
    const waiting = begin(new AbortController().signal, true)
    await turn()
    const ended = { ...alert, status: 15, modifiedAt: 7, completedAt: 7, investigator: 'p', case: 'c', caseId: 'ACME-1' } as Alert
    stored(subject, ended)
    await turn()
    expect([isDone(), watch.shown(uuid)]).toEqual([false, null])
    shown(subject, ended)
    expect(await waiting).toEqual(ended)
    expect([asked, looks()]).toEqual([1, 0])
  })

  test('is told at once again when the other process with the API has ended', async () => {
    const serves = { alone: false, ask: async (): Promise<void> => {} }
    serves.ask = async () => {
      serves.alone = true
    }
    const { alert, watch, begin } = watched({}, serves)
    const waiting = begin(new AbortController().signal, true)
    await turn()
    watch.stored({ ...alert, status: 15 })
    expect(await waiting).toMatchObject({ status: 15 })
  })

  test.each(ways)('answers a caller that has stored the alert, and other reads wait until it is shown: told %s', async (_way, stored, shown) => {
    const subject = watched({})
    const { alert, watch, begin, looks } = subject
    const waiting = begin(new AbortController().signal, true)
    await turn()
    expect(watch.shown(uuid)).toBeNull()
    const ended = { ...alert, status: 15, modifiedAt: 7, completedAt: 7, investigator: 'p', case: 'c', caseId: 'ACME-1' } as Alert
    stored(subject, ended)
    expect(await waiting).toEqual(ended)
    const reads = watch.shown(uuid)
    expect(await isSettled(reads)).toBe(false)
    shown(subject, ended)
    expect(await isSettled(reads)).toBe(true)
    expect([watch.shown(uuid), looks()]).toEqual([null, 0])
  })

  test.each(ways)('does not answer a caller that reads more than the alert: told %s', async (_way, stored, shown) => {
    const subject = watched({})
    const { alert, watch, begin, isDone } = subject
    const waiting = begin()
    await turn()
    stored(subject, { ...alert, status: 15 } as Alert)
    await turn()
    expect([isDone(), watch.shown(uuid)]).toEqual([false, null])
    shown(subject, { ...alert, status: 15 } as Alert)
    expect(await waiting).toMatchObject({ status: 15 })
  })

  test.each(ways)('says nothing about another attempt: told %s', async (_way, stored) => {
    const subject = watched({})
    const { alert, watch, begin, isDone } = subject
    void begin(new AbortController().signal, true)
    await turn()
    stored(subject, { ...alert, status: 20, retryCount: 1 } as Alert)
    await turn()
    expect([isDone(), watch.shown(uuid)]).toEqual([false, null])
  })

  test('that its process never shows holds reads for two seconds at most', async () => {
    const { alert, clock, watch, begin } = watched({})
    const waiting = begin(new AbortController().signal, true)
    await turn()
    watch.stored({ ...alert, status: 15 } as Alert)
    await waiting
    const reads = watch.shown(uuid)
    clock.advance(1_999)
    expect(await isSettled(reads)).toBe(false)
    clock.advance(1)
    expect(await isSettled(reads)).toBe(true)
    expect(watch.shown(uuid)).toBeNull()
  })

  test('with a proof that is not valid is read, like any other end', async () => {
    const { alert, hints, watch, begin, isDone, looks } = watched({})
    void begin(new AbortController().signal, true)
    await turn()
    hints.tell(endLine({ ...alert, status: 15 } as Alert, () => 'made up', true))
    await turn()
    expect([isDone(), watch.shown(uuid), looks()]).toEqual([false, null, 1])
  })
})
