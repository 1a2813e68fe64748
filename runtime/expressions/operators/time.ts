import type { Json } from '../../domain/index.ts'
import { timeOf } from '../time.ts'
import type { Meter, Work } from '../work.ts'
import { kindOf, type Operator, operator } from './types.ts'

/** What reading a time takes. */
const ofMoment: Work = 60

function momentOf(meter: Meter, value: Json | undefined): number {
  meter.charge(ofMoment)
  const time = timeOf(value)
  if (time === undefined) {
    throw new Error(`needs epoch milliseconds or an ISO 8601 time, not ${typeof value === 'string' ? `\`${value.slice(0, 60)}\`` : kindOf(value)}`)
  }
  return time
}

export const time: Readonly<Record<string, Operator>> = {
  before: operator(2, 2, (meter, a, b) => momentOf(meter, a) < momentOf(meter, b)),
  after: operator(2, 2, (meter, a, b) => momentOf(meter, a) > momentOf(meter, b)),
}

/** Milliseconds from a time to the run's now. */
export function age(meter: Meter, value: Json, now: Json | undefined): number {
  return momentOf(meter, now) - momentOf(meter, value)
}
