import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../../runtime/domain/index.ts'
import { openMemoryStore } from '../../../runtime/storage/embedded/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'

/**
 * A store in memory that answers each call in a later turn of the event loop, like a remote store. The embedded store has two threads; tests
 * that open hundreds of stores one after the other do not use them (decision 19).
 */
export function openUnhurriedStore(clock: Clock): Store {
  const memory = openMemoryStore(clock)
  const unhurried = <T extends object>(aggregate: T): T =>
    new Proxy(aggregate, {
      get(target, name) {
        const method = Reflect.get(target, name) as unknown
        if (typeof method !== 'function') return method
        return async (...parameters: unknown[]) => {
          const answer: unknown = await Reflect.apply(method, target, parameters)
          await turn()
          return answer
        }
      },
    })
  return new Proxy(memory, {
    get(target, name) {
      const aggregate = Reflect.get(target, name) as unknown
      return typeof aggregate === 'object' && aggregate !== null ? unhurried(aggregate) : aggregate
    },
  })
}
