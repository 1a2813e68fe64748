import { expect, onTestFinished, test, vi } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import { asId, mostMakers, type PrincipalId, systemScope } from '../../domain/index.ts'
import { openMemoryStore } from '../../storage/embedded/index.ts'
import { makersOf } from './makers.ts'

function newStore() {
  const store = openMemoryStore(new ManualClock())
  onTestFinished(() => store.close())
  const make = async (name: string, createdBy: string | null): Promise<PrincipalId> => {
    const id = asId<PrincipalId>(name)
    const maker = createdBy === null ? null : asId<PrincipalId>(createdBy)
    await store.principals.create(systemScope, { id, name, permissions: [], organizations: 'all', createdAt: 0, createdBy: maker })
    return id
  }
  return { store, make }
}

test('the makers of principals are found, nearest first, with one read for each link', async () => {
  const { store, make } = newStore()
  const root = await make('root', null)
  const ada = await make('ada', 'root')
  const bob = await make('bob', 'ada')
  const eve = await make('eve', 'bob')
  const reads = vi.spyOn(store.principals, 'byId')
  const stranger = asId<PrincipalId>('nobody')
  expect([...(await makersOf(store, [ada, eve, eve, stranger]))]).toEqual([
    [ada, [root]],
    [eve, [bob, ada, root]],
    [stranger, []],
  ])
  expect(reads.mock.calls.map(([, ids]) => ids)).toEqual([
    [ada, eve, stranger],
    [root, bob],
  ])
})

test('a chain of makers is followed up to a limit, and is then seen to be too long', async () => {
  const { store, make } = newStore()
  let last = await make('0', null)
  for (let link = 1; link <= mostMakers + 50; link++) last = await make(String(link), last)
  const reads = vi.spyOn(store.principals, 'byId')
  const lengthOf = async (link: number) => (await makersOf(store, [asId<PrincipalId>(String(link))])).get(asId(String(link)))?.length
  expect([await lengthOf(mostMakers), await lengthOf(mostMakers + 1)]).toEqual([mostMakers, mostMakers + 1])
  reads.mockClear()
  expect(await lengthOf(mostMakers + 50)).toBe(mostMakers + 1)
  expect(reads.mock.calls.length).toBe(mostMakers + 1)
})
