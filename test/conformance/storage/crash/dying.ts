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

/** Says of each write, as it is about to be sent, whether the process still sends it. */
export type Survives = (collection: string, nth: number) => boolean

/**
 * The same collections as a process sees them that dies at some write: that one and what follows fail, reads too. `hit` is
 * whether it came to that.
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
