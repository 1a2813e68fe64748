import { AsyncLocalStorage } from 'node:async_hooks'
import type { OrganizationId } from '../domain/index.ts'

const lanes = new AsyncLocalStorage<string | null>()

/**
 * Returns the name of the lane of an organization's alerts of one type, and of their runs.
 * @param type normalised
 */
export function laneOf(organization: OrganizationId, type: string): string {
  // An organization id has no space, so two lanes never have the same name.
  return `${organization} ${type}`
}

/**
 * Does work under the name of a lane. Whatever the work starts, and whatever it does after a wait, has the same
 * lane. So a part far below, where work of all tenants queues up, can give lanes their turns.
 * @param lane null: the work is for no lane
 */
export function inLane<T>(lane: string | null, work: () => T): T {
  return lanes.run(lane, work)
}

/** Returns the lane of the work that asks. Null: it has none. */
export function currentLane(): string | null {
  return lanes.getStore() ?? null
}
