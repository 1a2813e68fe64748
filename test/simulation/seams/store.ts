import type { Session } from '../../../runtime/domain/index.ts'
import type { AlertStore, Store } from '../../../runtime/storage/index.ts'
import type { Machine } from '../world/machine.ts'
import type { Link } from './link.ts'

type Method = (...given: unknown[]) => Promise<unknown>

/**
 * Wraps every method of every aggregate of a store.
 * @param around gets the name (`runs.claim`), the arguments, and the call
 */
export function eachMethod(store: Store, around: (name: string, given: readonly unknown[], call: () => Promise<unknown>) => Promise<unknown>): Store {
  const aggregates = Object.entries(store).map(([aggregate, methods]) => {
    if (typeof methods !== 'object') return [aggregate, methods] as const
    const wrapped = Object.entries(methods as Readonly<Record<string, Method>>).map(([name, method]) => {
      const full = `${aggregate}.${name}`
      return [name, (...given: unknown[]) => around(full, given, () => method(...given))] as const
    })
    return [aggregate, Object.fromEntries(wrapped)] as const
  })
  return Object.fromEntries(aggregates) as unknown as Store
}

/**
 * The shared store as one process sees it. If only one process has it, it takes calls in order, and tells of an
 * insert when it is sent.
 */
export function storeOver(store: Store, machine: Machine, link: Link): Store {
  return eachMethod(store, (name, given, call) => {
    if (name === 'sessions.open') machine.sessions.push((given[1] as Session).id)
    const answer = link.ask(name, given[1], call)
    if (name === 'alerts.insert' && link.isInOrder) (given[2] as Parameters<AlertStore['insert']>[2])?.(answer as ReturnType<AlertStore['insert']>)
    return answer
  })
}
