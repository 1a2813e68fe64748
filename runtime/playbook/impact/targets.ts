import { add, multiply } from './count.ts'

/** What one target expression stands for. */
interface Target {
  /** How many different values, counting the loops that were left already. */
  readonly values: number
  /** The loops around with whose items the value changes, by address. */
  readonly loops: ReadonlySet<string>
}

/** Targets by their expression's key: what has the same key has the same value in the same run. */
type TargetSet = ReadonlyMap<string, Target>

/**
 * What is acted on in the worst case: one set for each way that a run may go, so that what two branches name both is counted once and what
 * only one of them names is not counted with the other's. Never empty.
 */
export type Targets = readonly TargetSet[]

export const noTargets: Targets = [new Map()]

/** More ways than this are put together into one that is at least as bad as each. */
const mostWays = 32

export function oneTarget(key: string, loops: ReadonlySet<string>): Targets {
  return [new Map([[key, { values: 1, loops }]])]
}

/** Both happen. */
export function both(a: Targets, b: Targets): Targets {
  return worst(a.flatMap((first) => b.map((second) => together([first, second]))))
}

/** The one or the other happens. */
export function either(a: Targets, b: Targets): Targets {
  return worst([...a, ...b])
}

/** The iterations of a loop, each of which may go another way. */
export function repeated(targets: Targets, loop: string, times: number): Targets {
  if (times === 0) return noTargets
  if (times === 1) return worst(targets.map((set) => new Map([...set].map(([key, target]) => [key, without(target, loop)]))))
  const same = together(targets.map((set) => filtered(set, ({ loops }) => !loops.has(loop))))
  const changing = targets.map((set) => filtered(set, ({ loops }) => loops.has(loop))).filter(({ size }) => size > 0)
  const [only, ...others] = changing
  if (!only) return [same]
  if (others.length === 0) {
    const all = new Map([...only].map(([key, target]) => [key, timesAll(without(target, loop), times)]))
    return [together([same, all])]
  }
  // Each iteration goes one way: as many values as the worst way has, an iteration. Under which keys they are is no longer known.
  const group: Target = {
    values: multiply(Math.max(...changing.map(sizeOf)), times),
    loops: new Set(changing.flatMap((set) => [...set.values()].flatMap(({ loops }) => [...loops])).filter((other) => other !== loop)),
  }
  return [together([same, new Map([[`in ${loop}`, group]])])]
}

/** How many different values there are at most. */
export function countOf(targets: Targets): number {
  return Math.max(...targets.map(sizeOf))
}

function sizeOf(set: TargetSet): number {
  return [...set.values()].reduce((sum, { values }) => add(sum, values), 0)
}

function without({ values, loops }: Target, loop: string): Target {
  return { values, loops: new Set([...loops].filter((other) => other !== loop)) }
}

function timesAll(target: Target, times: number): Target {
  return { ...target, values: multiply(target.values, times) }
}

function filtered(set: TargetSet, keep: (target: Target) => boolean): TargetSet {
  return new Map([...set].filter(([, target]) => keep(target)))
}

/** What is in any of the sets; the same key is the same target. */
function together(sets: readonly TargetSet[]): TargetSet {
  const all = new Map<string, Target>()
  for (const set of sets) {
    for (const [key, { values, loops }] of set) {
      const known = all.get(key)
      all.set(key, known ? { values: Math.max(known.values, values), loops: new Set([...known.loops, ...loops]) } : { values, loops })
    }
  }
  return all
}

/** Without the ways that another one is at least as bad as. */
function worst(ways: readonly TargetSet[]): Targets {
  const kept: TargetSet[] = []
  for (const way of [...ways].sort((a, b) => b.size - a.size)) if (!kept.some((other) => within(way, other))) kept.push(way)
  return kept.length > mostWays ? [together(kept)] : kept
}

function within(set: TargetSet, other: TargetSet): boolean {
  return [...set].every(([key, { values, loops }]) => {
    const there = other.get(key)
    return there !== undefined && there.values >= values && [...loops].every((loop) => there.loops.has(loop))
  })
}
