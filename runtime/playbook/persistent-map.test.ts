import { expect, test } from 'vitest'
import { seeded } from '../../test/support/seeded.ts'
import { PersistentMap } from './persistent-map.ts'

test('a map does not change when another is made from it', () => {
  const empty = PersistentMap.empty<number>()
  const one = empty.set('a', 1)
  const two = one.set('b', 2).set('a', 3)
  expect([empty, one, two].map((map) => Object.fromEntries(map.entries()))).toEqual([{}, { a: 1 }, { a: 3, b: 2 }])
  expect([two.get('a'), one.get('b'), two.set('a', undefined).has('a'), two.has('a')]).toEqual([3, undefined, false, true])
  expect(one.set('a', 1)).toBe(one)
})

test('has the same entries as a Map after any changes, and finds the differences', () => {
  const random = seeded(7)
  const maps: { readonly map: PersistentMap<number>; readonly model: ReadonlyMap<string, number> }[] = [
    { map: PersistentMap.empty<number>(), model: new Map() },
  ]
  for (let round = 0; round < 2_000; round += 1) {
    const from = maps[random(maps.length)]
    if (!from) throw new Error('there is none')
    const key = `k${random(600)}`
    const value = random(4) === 0 ? undefined : random(5)
    const model = new Map(from.model)
    if (value === undefined) model.delete(key)
    else model.set(key, value)
    maps.push({ map: from.map.set(key, value), model })
  }
  for (const { map, model } of maps) expect(new Map(map.entries())).toEqual(model)
  for (let round = 0; round < 200; round += 1) {
    const [a, b] = [maps[random(maps.length)], maps[random(maps.length)]]
    if (!a || !b) throw new Error('there is none')
    const keys = new Set([...a.model.keys(), ...b.model.keys()].filter((key) => a.model.get(key) !== b.model.get(key)))
    const told = [...a.map.differences(b.map)]
    expect(new Set(told.map(({ key }) => key))).toEqual(keys)
    for (const { key, own, other } of told) expect([own, other]).toEqual([a.model.get(key), b.model.get(key)])
  }
})

test('refuses to compare maps with different origins', () => {
  expect(() => [...PersistentMap.empty().differences(PersistentMap.empty())]).toThrow('do not come from the same one')
})
