import { expect, test } from 'vitest'
import type { NewAlert } from '../domain/index.ts'
import type { AlertStore, InsertedAlert } from '../storage/index.ts'
import { AlertBatcher } from './batcher.ts'

function alert(uuid: string): NewAlert {
  return { uuid } as NewAlert
}

/** A store that takes each batch in hand and answers when it is told to. */
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

test('alerts that come in one turn, or while the store is busy, go together', async () => {
  const { store, batches } = heldStore()
  const batcher = new AlertBatcher(store, () => {})
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

test('what was inserted is handed on after it is durable, not before', async () => {
  const { store, batches } = heldStore()
  const handed: string[] = []
  const batcher = new AlertBatcher(store, (inserted) => handed.push(...inserted.map((one) => one.alert.uuid)))
  void batcher.insert(alert('a'))
  await turn()
  expect(handed).toEqual([])
  batches[0]?.done()
  await turn()
  expect(handed).toEqual(['a'])
})

test('a batch that failed fails each of its alerts and no other, and the next goes on', async () => {
  const { store, batches } = heldStore()
  const batcher = new AlertBatcher(store, () => {})
  const lost = batcher.insert(alert('a'))
  await turn()
  const kept = batcher.insert(alert('b'))
  await turn()
  batches[0]?.done(new Error('disk full'))
  batches[1]?.done()
  await expect(lost).rejects.toThrow('disk full')
  expect((await kept).alert.uuid).toBe('b')
})

test('when more wait than may, the next are told to come again, and none that waits is lost', async () => {
  const { store, batches } = heldStore()
  const batcher = new AlertBatcher(store, () => {})
  const waiting = Array.from({ length: 20_000 }, (_, index) => batcher.insert(alert(String(index))))
  await expect(batcher.insert(alert('one too many'))).rejects.toThrow(expect.objectContaining({ code: 'overloaded' }))
  for (let index = 0; index < 41; index++) {
    await turn()
    batches[index]?.done()
  }
  expect(await Promise.all(waiting)).toHaveLength(20_000)
})
