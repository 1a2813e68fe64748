import { beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import type { Company } from '../domain/index.ts'
import { Arrivals, type Release } from '../fairness/index.ts'
import { Admission } from './admission.ts'

let clock: ManualClock
let admission: Admission
let arrivals: Arrivals
let rooms: number

beforeEach(() => {
  clock = new ManualClock()
  rooms = 0
  arrivals = new Arrivals(clock)
  admission = new Admission({ concurrency: 16, aloneAfter: 0, arrivals }, clock, () => {
    rooms += 1
  })
})

function fill(company: Company, owner: string): Release[] {
  const taken: Release[] = []
  while (admission.may(company, owner)) taken.push(admission.enter(company, { owner, lane: `flood of ${owner}` }))
  return taken
}

/** Enters a job that needs the process alone. `begun` becomes true when it may start. */
async function goAlone(): Promise<{ begun: boolean; readonly end: Release }> {
  const alone = { begun: false, end: admission.enter('none', { owner: 'acme', lane: 'alone' }) }
  void admission.solitude().then(() => {
    alone.begun = true
  })
  await Promise.resolve()
  return alone
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
}

test('suspected runs have a quarter of the slots, whatever else runs', () => {
  expect(fill('few', 'acme')).toHaveLength(4)
  expect(fill('any', 'acme')).toHaveLength(12)
  expect(fill('few', 'other').length).toBeGreaterThan(0)
})

const arrive = (alerts: number): void => {
  for (let alert = 0; alert < alerts; alert += 1) arrivals.came()
}

const allStored = (alerts: number): void => {
  arrivals.went(alerts)
  clock.advance(100)
}

test.each([
  [0, 16],
  [1, 13],
  [2, 10],
  [4, 5],
  [1_000, 5],
])('while %i alerts arrive, an organization alone may start jobs up to %i', (alerts, most) => {
  arrive(alerts)
  expect(fill('any', 'acme')).toHaveLength(most)
  expect(fill('any', 'other').length).toBeGreaterThan(0)
  expect(admission.mayFirst('any', 'acme')).toBe(true)
})

test('it is told of room when fewer alerts arrive, and no more after it has stopped', () => {
  arrive(1_000)
  expect([fill('any', 'acme').length, rooms]).toEqual([5, 0])
  allStored(1_000)
  expect([fill('any', 'acme').length, rooms]).toEqual([11, 1])
  arrive(1)
  admission.stop()
  allStored(1)
  expect(rooms).toBe(1)
})

test('jobs that run when alerts arrive go on, and their slots stay free afterwards', () => {
  const [first, ...others] = fill('any', 'acme')
  arrive(1_000)
  first?.()
  expect([others.length, admission.may('any', 'acme'), admission.may('any', 'other')]).toEqual([15, false, true])
  allStored(1_000)
  expect(admission.may('any', 'acme')).toBe(true)
})

test('an organization with a single slot keeps it, however many alerts arrive', () => {
  admission = new Admission({ concurrency: 1, arrivals }, clock, () => {})
  arrive(1_000)
  expect(fill('any', 'acme')).toHaveLength(1)
})

test('a lane of which no job runs may have its first, although a flood has all slots of its organization', () => {
  const flood = fill('any', 'acme')
  expect([flood.length, admission.mayFirst('any', 'acme'), admission.isFirst('flood of acme'), admission.isFirst('light')]).toEqual([
    16,
    true,
    false,
    true,
  ])
  const end = admission.enter('any', { owner: 'acme', lane: 'light' })
  expect([admission.may('any', 'acme'), admission.isFirst('light')]).toEqual([false, false])
  admission.enter('any', { owner: 'acme', lane: 'third' })
  expect(admission.mayFirst('any', 'acme')).toBe(false)
  end()
  expect([admission.isFirst('light'), admission.mayFirst('any', 'acme'), admission.mayFirst('none', 'acme')]).toEqual([true, true, false])
  for (const release of flood) release()
  expect(fill('any', 'acme')).toHaveLength(16)
})

test('a suspected run of a lane of its own still takes one of the slots of suspects', () => {
  fill('few', 'acme')
  fill('any', 'acme')
  expect([admission.mayFirst('any', 'acme'), admission.mayFirst('few', 'acme')]).toEqual([true, false])
})

test('no first job starts while a job is alone, or after stop', async () => {
  const [other] = fill('any', 'acme')
  await goAlone()
  expect(admission.mayFirst('any', 'acme')).toBe(false)
  other?.()
  admission.stop()
  expect(admission.mayFirst('any', 'acme')).toBe(false)
})

test('no job is alone before the process has lived for a while; others start meanwhile', () => {
  admission = new Admission({ concurrency: 16 }, clock, () => {
    rooms += 1
  })
  clock.advance(14_999)
  expect([admission.may('none', 'acme'), admission.may('few', 'acme'), admission.may('any', 'acme'), rooms]).toEqual([false, true, true, 0])
  clock.advance(1)
  expect([admission.may('none', 'acme'), rooms]).toEqual([true, 1])
})

test('a job is alone once all others have ended', async () => {
  const others = [...fill('few', 'acme'), ...fill('any', 'acme')]
  const alone = await goAlone()
  for (const [index, end] of others.entries()) {
    expect(alone.begun).toBe(false)
    end()
    // Giving back twice changes nothing.
    if (index === 0) end()
    await settle()
  }
  expect(alone.begun).toBe(true)
  expect([admission.may('any', 'other'), admission.may('few', 'other'), admission.may('none', 'other')]).toEqual([false, false, false])
})

test('it waits for half a minute at most, and no other job starts in that time', async () => {
  const [other] = fill('any', 'acme')
  const alone = await goAlone()
  clock.advance(29_999)
  await settle()
  expect(alone.begun).toBe(false)
  other?.()
  expect(admission.may('any', 'acme')).toBe(false)
  clock.advance(1)
  await settle()
  expect(alone.begun).toBe(true)
})

test('it is alone for a minute at most; then others may start beside it, but no other job that must be alone', async () => {
  await goAlone()
  clock.advance(59_999)
  expect(admission.may('any', 'acme')).toBe(false)
  clock.advance(1)
  expect([admission.may('any', 'acme'), admission.may('none', 'acme'), rooms]).toEqual([true, false, 1])
})

test('after it, the others have the process for as long as they were kept out', async () => {
  const alone = await goAlone()
  await settle()
  clock.advance(20_000)
  alone.end()
  expect([admission.may('any', 'acme'), admission.may('none', 'acme')]).toEqual([true, false])
  admission.enter('any', { owner: 'acme', lane: 'other' })
  clock.advance(19_999)
  expect(admission.may('none', 'acme')).toBe(false)
  clock.advance(1)
  expect([admission.may('none', 'acme'), rooms]).toEqual([true, 1])
})

test('jobs that must be alone follow each other for as long as the others took to end, in which nobody else starts', async () => {
  const others = fill('any', 'acme')
  const first = await goAlone()
  clock.advance(3_000)
  for (const end of others) end()
  await settle()
  clock.advance(1_000)
  first.end()
  expect([admission.may('none', 'acme'), admission.may('any', 'acme'), admission.may('few', 'acme')]).toEqual([true, false, false])
  const second = await goAlone()
  expect([second.begun, admission.may('none', 'acme')]).toEqual([true, false])
  clock.advance(2_000)
  second.end()
  expect([admission.may('any', 'acme'), admission.may('none', 'acme')]).toEqual([true, false])
  admission.enter('any', { owner: 'acme', lane: 'other' })
  clock.advance(5_999)
  expect(admission.may('none', 'acme')).toBe(false)
  clock.advance(1)
  expect(admission.may('none', 'acme')).toBe(true)
})

test('a job that follows and does not start keeps the others out for a minute at most', async () => {
  const alone = await goAlone()
  alone.end()
  admission.enter('none', { owner: 'acme', lane: 'alone' })
  clock.advance(59_999)
  expect(admission.may('any', 'acme')).toBe(false)
  clock.advance(1)
  expect([admission.may('any', 'acme'), admission.may('none', 'acme')]).toEqual([true, false])
})

test('if no other job must be alone, the others have the process back at once', async () => {
  const alone = await goAlone()
  alone.end()
  expect([admission.may('any', 'acme'), rooms]).toEqual([false, 0])
  clock.advance(0)
  expect([admission.may('any', 'acme'), admission.may('none', 'acme'), rooms]).toEqual([true, false, 1])
})

test('jobs that must be alone follow each other for five seconds at most, however long the others took', async () => {
  fill('any', 'acme')
  const first = await goAlone()
  clock.advance(30_000)
  await settle()
  clock.advance(4_999)
  first.end()
  const second = await goAlone()
  expect(second.begun).toBe(true)
  clock.advance(1)
  second.end()
  expect([admission.may('none', 'acme'), admission.may('any', 'other')]).toEqual([false, true])
})

test('if no other job uses its time, the next job is alone after a moment', async () => {
  const alone = await goAlone()
  await settle()
  clock.advance(20_000)
  alone.end()
  const end = admission.enter('any', { owner: 'acme', lane: 'other' })
  clock.advance(5_000)
  expect([admission.may('none', 'acme'), rooms]).toEqual([false, 0])
  end()
  expect(admission.may('none', 'acme')).toBe(false)
  clock.advance(50)
  expect([admission.may('none', 'acme'), rooms]).toEqual([true, 1])
  clock.advance(60_000)
  expect(rooms).toBe(1)
})

test('a job that must be alone and ends without running frees its place after a moment', () => {
  const end = admission.enter('none', { owner: 'acme', lane: 'alone' })
  expect(admission.may('any', 'acme')).toBe(true)
  end()
  clock.advance(1_000)
  expect(admission.may('none', 'acme')).toBe(true)
})

test('after stop no job starts, and a job that waits to be alone stops waiting', async () => {
  fill('any', 'acme')
  const alone = await goAlone()
  admission.stop()
  await settle()
  expect([alone.begun, admission.may('any', 'other'), admission.may('none', 'other')]).toEqual([true, false, false])
})
