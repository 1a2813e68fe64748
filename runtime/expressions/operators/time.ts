import type { Json } from '../../domain/index.ts'
import { timeOf } from '../time.ts'
import { kindOf, type Operator, operator } from './types.ts'

function momentOf(value: Json | undefined): number {
  const time = timeOf(value)
  if (time === undefined) {
    throw new Error(`needs epoch milliseconds or an ISO 8601 time, not ${typeof value === 'string' ? `\`${value.slice(0, 60)}\`` : kindOf(value)}`)
  }
  return time
}

export const time: Readonly<Record<string, Operator>> = {
  before: operator(2, 2, (a, b) => momentOf(a) < momentOf(b)),
  after: operator(2, 2, (a, b) => momentOf(a) > momentOf(b)),
}

/** Milliseconds from a time to the run's now. */
export function age(value: Json, now: Json | undefined): number {
  return momentOf(now) - momentOf(value)
}
