import type { Millis } from '../seams.ts'
import type { Case, Severity } from './case.ts'

/** How soon people must act on a case, and close it. Null: no limit. */
interface ServiceLevel {
  readonly respond: Millis | null
  readonly close: Millis | null
}

export type ServiceLevels = Readonly<Record<Severity, ServiceLevel>>

const minute: Millis = 60_000
const hour: Millis = 60 * minute
const day: Millis = 24 * hour

/** The times that apply where the policy of the organization sets none. */
export const defaultServiceLevels: ServiceLevels = {
  critical: { respond: 15 * minute, close: 4 * hour },
  high: { respond: hour, close: day },
  medium: { respond: 4 * hour, close: 3 * day },
  low: { respond: day, close: 7 * day },
  informational: { respond: null, close: 14 * day },
  unassigned: { respond: 4 * hour, close: 3 * day },
}

/**
 * `running`: not done, and there is time left. `overdue`: not done, and the time is over. `met`: done in time.
 * `missed`: done too late. `none`: no time is set.
 */
export const clockStates = ['running', 'overdue', 'met', 'missed', 'none'] as const

export interface ServiceClock {
  /** Null: no time is set. */
  readonly due: Millis | null
  /** When it was done. */
  readonly done: Millis | null
  readonly state: (typeof clockStates)[number]
}

/** Returns the clocks of a case for its severity. Both start when the case opens. */
export function serviceClocks(
  { severity, createdAt, desk }: Pick<Case, 'severity' | 'createdAt' | 'desk'>,
  levels: ServiceLevels,
  now: Millis,
): { readonly response: ServiceClock; readonly close: ServiceClock } {
  const { respond, close } = levels[severity]
  const clock = (allowed: Millis | null, done: Millis | null): ServiceClock => {
    if (allowed === null) return { due: null, done, state: 'none' }
    const due = createdAt + allowed
    if (done !== null) return { due, done, state: done <= due ? 'met' : 'missed' }
    return { due, done, state: now <= due ? 'running' : 'overdue' }
  }
  return { response: clock(respond, desk.respondedAt), close: clock(close, desk.closedAt) }
}
