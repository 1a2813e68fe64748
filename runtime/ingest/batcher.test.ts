import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import type { NewAlert } from '../domain/index.ts'
import { Arrivals, currentLane } from '../fairness/index.ts'
import type { AlertStore, InsertedAlert } from '../storage/index.ts'
import { AlertBatcher } from './batcher.ts'

function alert(uuid: string, organization = 'acme', content = '', words = 1): NewAlert {
  return { uuid, organization, type: 'theft', content, tokens: Array.from({ length: words }, (_, at) => `w${at}`) } as unknown as NewAlert
}

/** Returns a store that holds each batch until the test completes it. */
function heldStore() {
  const batches: { readonly uuids: string[]; readonly done: (error?: Error) => void }[] = []
  const insert: AlertStore['insert'] = (_scope, alerts) =>
    new Promise((resolve, reject) => {
      const inserted = alerts.map((one) => ({ alert: one, fresh: true }) as unknown as InsertedAlert)
      batches.push({ uuids: alerts.map(({ uuid }) => uuid), done: (error) => (error ? reject(error) : resolve(inserted)) })
    })
  return { store: { insert } as AlertStore, batches }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('alerts that arrive in one turn, or while the store is busy, go into one batch', async () => {
  const { store, batches } = heldStore()
  const batcher = new AlertBatcher(store, new Arrivals(new ManualClock()), () => {})
  const first = [batcher.insert(alert('a')), batcher.insert(alert('b'))]
  await turn()
  void batcher.insert(alert('c'))
  await turn()
  for (const uuid of ['d', 'e', 'f']) void batcher.insert(alert(uuid))
  await turn()
  expect(batches.map(({ uuids }) => uuids)).toEqual([['a', 'b'], ['c']])
  batches[0]?.done()
  expect((await Promise.all(first)).map((one) => one.alert.uuid)).toEqual(['a', 'b'])
  await turn()
  expect(batches.map(({ uuids }) => uuids)).toEqual([['a', 'b'], ['c'], ['d', 'e', 'f']])
})

test('alerts count as arriving until the store has taken or refused them', async () => {
  const { store, batches } = heldStore()
  const clock = new ManualClock()
  const arrivals = new Arrivals(clock)
  const batcher = new AlertBatcher(store, arrivals, () => {})
  const taken = [batcher.insert(alert('a')), batcher.insert(alert('b'))]
  await turn()
  const refused = batcher.insert(alert('c'))
  await turn()
  clock.advance(1_000)
  expect([batches.length, arrivals.peak]).toEqual([2, 3])
  batches[1]?.done(new Error('no store'))
  await expect(refused).rejects.toThrow('no store')
  await turn()
  clock.advance(1_000)
  expect(arrivals.peak).toBe(2)
  batches[0]?.done()
  await Promise.all(taken)
  await turn()
  clock.advance(1_000)
  expect(arrivals.peak).toBe(0)
})

test('inserted alerts are handed on only after they are durable', async () => {
  const { store, batches } = heldStore()
  const handed: string[] = []
  const batcher = new AlertBatcher(store, new Arrivals(new ManualClock()), (inserted) => handed.push(...inserted.map((one) => one.alert.uuid)))
  void batcher.insert(alert('a'))
  await turn()
  expect(handed).toEqual([])
  batches[0]?.done()
  await turn()
  expect(handed).toEqual(['a'])
})

/** Returns a batcher over a store that tells of each batch when it is sent, and what it told of then and later. */
function earlyBatcher() {
  const [early, later]: [string[], string[]] = [[], []]
  const { store, batches } = heldStore()
  const insert: AlertStore['insert'] = (scope, alerts, sent) => {
    const answer = store.insert(scope, alerts)
    sent?.(answer)
    return answer
  }
  const batcher = new AlertBatcher(
    { insert } as AlertStore,
    new Arrivals(new ManualClock()),
    (inserted) => later.push(...inserted.map((one) => one.alert.uuid)),
    {
      mayBe: ({ content }) => content !== 'large',
      onSent: (alerts, numbered) => {
        early.push(...alerts.map(({ uuid }) => uuid))
        numbered.catch(() => {})
      },
    },
  )
  return { batcher, batches, early, later }
}

test('a batch is handed on when it is sent, and acknowledged when it is durable', async () => {
  const { batcher, batches, early, later } = earlyBatcher()
  const acknowledged = batcher.insert(alert('a'))
  await turn()
  expect(early).toEqual(['a'])
  expect(await Promise.race([acknowledged, turn().then(() => 'not yet')])).toBe('not yet')
  batches[0]?.done()
  expect((await acknowledged).alert.uuid).toBe('a')
  await turn()
  expect([early, later]).toEqual([['a'], []])
})

test('a batch that has an alert that may not be early, or alerts of several lanes, is handed on when it is durable', async () => {
  const { batcher, batches, early, later } = earlyBatcher()
  for (const one of [alert('a'), alert('b', 'acme', 'large')]) void batcher.insert(one)
  await turn()
  for (const one of [alert('c'), alert('d', 'globex')]) void batcher.insert(one)
  await turn()
  expect([early, later]).toEqual([[], []])
  for (const { done } of batches) done()
  await turn()
  expect([early, later]).toEqual([[], ['a', 'b', 'c', 'd']])
})

test('while the store takes nothing, no batch is handed on before it is durable', async () => {
  const { batcher, batches, early, later } = earlyBatcher()
  const insert = async (uuid: string, error?: Error): Promise<void> => {
    const answer = batcher.insert(alert(uuid))
    await turn()
    batches.at(-1)?.done(error)
    await answer.catch(() => {})
    await turn()
  }
  await insert('a', new Error('disk full'))
  await insert('b', new Error('disk full'))
  await insert('c')
  await insert('d')
  expect([early, later]).toEqual([['a', 'd'], ['c']])
})

test('a failed batch fails its own alerts only, and the next batch goes on', async () => {
  const { store, batches } = heldStore()
  const batcher = new AlertBatcher(store, new Arrivals(new ManualClock()), () => {})
  const lost = batcher.insert(alert('a'))
  await turn()
  const kept = batcher.insert(alert('b'))
  await turn()
  batches[0]?.done(new Error('disk full'))
  batches[1]?.done()
  await expect(lost).rejects.toThrow('disk full')
  expect((await kept).alert.uuid).toBe('b')
})

test('beyond the limit new alerts are refused, waiting ones are kept, and another organization still has room', async () => {
  const { store, batches } = heldStore()
  const batcher = new AlertBatcher(store, new Arrivals(new ManualClock()), () => {})
  const waiting = Array.from({ length: 15_000 }, (_, index) => batcher.insert(alert(String(index))))
  await expect(batcher.insert(alert('one too many'))).rejects.toThrow(expect.objectContaining({ code: 'overloaded' }))
  const other = batcher.insert(alert('of another', 'quiet'))
  await turn()
  for (let index = 0; index < 2; index++) batches[index]?.done()
  await turn()
  expect(batches[2]?.uuids).toContain('of another')
  for (let index = 2; index < 41; index++) {
    await turn()
    batches[index]?.done()
  }
  expect(await Promise.all(waiting)).toHaveLength(15_000)
  expect((await other).alert.uuid).toBe('of another')
})

test('a batch stays within the limits of one transaction', async () => {
  const { store, batches } = heldStore()
  const batcher = new AlertBatcher(store, new Arrivals(new ManualClock()), () => {})
  for (let index = 0; index < 10; index++) void batcher.insert(alert(`long ${index}`, 'acme', 'x'.repeat(500_000)))
  for (let index = 0; index < 100; index++) void batcher.insert(alert(`wordy ${index}`, 'acme', '', 512))
  for (let index = 0; index < 40; index++) {
    await turn()
    batches[index]?.done()
  }
  await turn()
  expect(batches.flatMap(({ uuids }) => uuids)).toHaveLength(110)
  expect(Math.max(...batches.map(({ uuids }) => uuids.filter((uuid) => uuid.startsWith('long')).length))).toBe(3)
  expect(Math.max(...batches.map(({ uuids }) => uuids.filter((uuid) => uuid.startsWith('wordy')).length))).toBe(16)
})

test('waiting alerts are also limited by characters, shared between organizations', async () => {
  const { store } = heldStore()
  const batcher = new AlertBatcher(store, new Arrivals(new ManualClock()), () => {})
  const content = 'x'.repeat(1_000_000)
  const ends = await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      Promise.race([
        batcher.insert(alert(String(index), 'acme', content)).then(
          () => 'inserted',
          (error: { code: string }) => error.code,
        ),
        turn().then(() => 'waits'),
      ]),
    ),
  )
  const waits = ends.filter((end) => end === 'waits').length
  expect(waits).toBeGreaterThan(195)
  expect(waits).toBeLessThan(210)
  expect(ends.at(-1)).toBe('overloaded')
  const other = Promise.race([batcher.insert(alert('other', 'quiet', content)), turn().then(() => 'waits')])
  expect(await other).toBe('waits')
})

test('alerts of one organization and type are inserted in their lane, and others in none', async () => {
  const lanes: (string | null)[] = []
  const insert: AlertStore['insert'] = async (_scope, alerts) => {
    lanes.push(currentLane())
    return alerts.map((one) => ({ alert: one, fresh: true }) as unknown as InsertedAlert)
  }
  const batcher = new AlertBatcher({ insert } as AlertStore, new Arrivals(new ManualClock()), () => {})
  const theft = alert('a')
  await batcher.insert({ ...theft, type: ' Theft' })
  await Promise.all([batcher.insert(theft), batcher.insert(theft)])
  await Promise.all([batcher.insert(theft), batcher.insert(alert('b', 'globex'))])
  await Promise.all([batcher.insert(theft), batcher.insert({ ...theft, type: 'fire' })])
  await batcher.insert({ ...theft, type: null })
  expect(lanes).toEqual(['acme theft', 'acme theft', null, null, null])
})

/** Fills both batches that may be under way with alerts of a flood. */
async function flooded() {
  const { store, batches } = heldStore()
  const batcher = new AlertBatcher(store, new Arrivals(new ManualClock()), () => {})
  void batcher.insert(alert('flood 1'))
  await turn()
  void batcher.insert(alert('flood 2'))
  await turn()
  void batcher.insert(alert('flood 3'))
  await turn()
  const fire = (uuid: string): Promise<InsertedAlert> => batcher.insert({ ...alert(uuid), type: 'fire' })
  return { batcher, batches, fire, written: () => batches.map(({ uuids }) => uuids.join()) }
}

test('an alert whose lane has no other here does not wait for the batches of a flood', async () => {
  const { batches, fire, written } = await flooded()
  const own = fire('fire')
  await turn()
  expect(written()).toEqual(['flood 1', 'flood 2', 'fire'])
  batches[2]?.done()
  expect((await own).alert.uuid).toBe('fire')
  await turn()
  expect(written()).toEqual(['flood 1', 'flood 2', 'fire'])
})

test('the second alert of that lane waits with the others, and one after the end of the first does not', async () => {
  const { batches, fire, written } = await flooded()
  void fire('fire 1')
  void fire('fire 2')
  await turn()
  expect(written()).toEqual(['flood 1', 'flood 2', 'fire 1'])
  batches[0]?.done()
  batches[2]?.done()
  await turn()
  expect(written().slice(3)).toEqual(['flood 3,fire 2'])
  batches[3]?.done()
  await turn()
  void fire('fire 3')
  await turn()
  expect(written().slice(4)).toEqual(['fire 3'])
})

test('two such alerts are written beside the batches, and a third one waits', async () => {
  const { batcher, batches, written } = await flooded()
  for (const type of ['fire', 'smoke', 'water']) void batcher.insert({ ...alert(type), type })
  await turn()
  expect(written().slice(2)).toEqual(['fire', 'smoke'])
  batches[1]?.done()
  await turn()
  expect(written().slice(4)).toEqual(['flood 3,water'])
})

test('such an alert that cannot be stored fails alone, and the next one has its place', async () => {
  const { batches, fire, written } = await flooded()
  const lost = fire('lost')
  await turn()
  batches[2]?.done(new Error('disk full'))
  await expect(lost).rejects.toThrow('disk full')
  await turn()
  void fire('kept')
  await turn()
  expect(written()).toEqual(['flood 1', 'flood 2', 'lost', 'kept'])
})
