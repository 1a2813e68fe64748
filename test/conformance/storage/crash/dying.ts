import { MongoNetworkError } from 'mongodb'
import type { Collections } from '../../../../runtime/storage/mongodb/database/collections.ts'

const writes: ReadonlySet<PropertyKey> = new Set([
  'insertOne',
  'insertMany',
  'updateOne',
  'updateMany',
  'replaceOne',
  'findOneAndUpdate',
  'bulkWrite',
  'deleteOne',
  'deleteMany',
])

/** Decides before each write whether the process still sends it. */
export type Survives = (collection: string, nth: number) => boolean

/**
 * Returns the collections as seen by a process that dies at some write: that write fails, and so does
 * everything after it. `hit` says whether the process died.
 */
export function dying(collections: Collections, survives: Survives): { readonly collections: Collections; readonly hit: () => boolean } {
  let count = 0
  let hit = false
  const lost = (): Promise<never> => Promise.reject(new MongoNetworkError('the process died'))
  const wrapped = Object.entries(collections).map(([name, collection]) => [
    name,
    new Proxy(collection, {
      get(target, property) {
        const value = Reflect.get(target, property, target)
        if (typeof value !== 'function') return value
        return (...parameters: unknown[]) => {
          if (writes.has(property) && !survives(name, count++)) {
            hit = true
            return lost()
          }
          return value.apply(target, parameters)
        }
      },
    }),
  ])
  return { collections: Object.fromEntries(wrapped) as Collections, hit: () => hit }
}

/** Returns the collections as seen by a process that stalls before or after its first `updateOne` in one of them, while `meanwhile` happens. */
export function stalling(
  collections: Collections,
  name: keyof Collections,
  when: 'before' | 'after',
  meanwhile: () => Promise<unknown>,
): Collections {
  let stalls = true
  const stalled = new Proxy(collections[name], {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target)
      if (typeof value !== 'function') return value
      if (property !== 'updateOne' || !stalls) return value.bind(target)
      stalls = false
      return async (...parameters: unknown[]) => {
        if (when === 'before') await meanwhile()
        const result: unknown = await value.apply(target, parameters)
        if (when === 'after') await meanwhile()
        return result
      }
    },
  })
  return { ...collections, [name]: stalled }
}
