import { add, multiply } from './count.ts'
import { both, either, noTargets, repeated, type Targets } from './targets.ts'

/**
 * The most that a part of a playbook does. Each number is a worst case of its own. No single run
 * has to reach all of them.
 */
export interface Amount {
  readonly high: number
  readonly write: number
  readonly read: number
  /** Counts of calls, by skill and connection. */
  readonly calls: ReadonlyMap<string, number>
  readonly targets: Targets
}

export const nothing: Amount = { high: 0, write: 0, read: 0, calls: new Map(), targets: noTargets }

/** Adds two amounts: both happen. */
export function plus(a: Amount, b: Amount): Amount {
  if (a === nothing) return b
  if (b === nothing) return a
  return combine(a, b, add, both)
}

/**
 * Returns the maximum of each number: one of the two happens. Null stands for something that cannot
 * happen.
 */
export function larger<A extends Amount | null>(a: A, b: A): A | Amount {
  if (a === null || a === b) return b
  if (b === null) return a
  return combine(a, b, Math.max, either)
}

/** Multiplies an amount: it happens once for each item of a loop. */
export function times(amount: Amount, count: number, loop: string): Amount {
  return {
    high: multiply(amount.high, count),
    write: multiply(amount.write, count),
    read: multiply(amount.read, count),
    calls: new Map([...amount.calls].map(([key, calls]) => [key, multiply(calls, count)])),
    targets: repeated(amount.targets, loop, count),
  }
}

function combine(a: Amount, b: Amount, number: (a: number, b: number) => number, targets: (a: Targets, b: Targets) => Targets): Amount {
  const keys = new Set([...a.calls.keys(), ...b.calls.keys()])
  return {
    high: number(a.high, b.high),
    write: number(a.write, b.write),
    read: number(a.read, b.read),
    calls: new Map([...keys].map((key) => [key, number(a.calls.get(key) ?? 0, b.calls.get(key) ?? 0)])),
    targets: targets(a.targets, b.targets),
  }
}
