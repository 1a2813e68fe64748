import { add, multiply } from './count.ts'

/** The values that one target expression has. */
interface Target {
  /** The number of different values. Includes the items of inner loops that are already counted. */
  readonly values: number
  /** The addresses of the surrounding loops whose items change the value. */
  readonly loops: ReadonlySet<string>
}

/** Targets by the key of their expression. In one run, the same key means the same value. */
type TargetSet = ReadonlyMap<string, Target>

/**
 * The targets in the worst case: one set for each way that a run may take. So a target in two
 * branches counts once, and targets of different branches do not add up. Never empty.
 */
export type Targets = readonly TargetSet[]

export const noTargets: Targets = [new Map()]

/** If there are more ways, they are merged into one that is at least as bad as each of them. */
const mostWays = 32

export function oneTarget(key: string, loops: ReadonlySet<string>): Targets {
  return [new Map([[key, { values: 1, loops }]])]
}

/** Returns the targets if both happen. */
export function both(a: Targets, b: Targets): Targets {
  return worst(a.flatMap((first) => b.map((second) => together([first, second]))))
}

/** Returns the targets if one of the two happens. */
export function either(a: Targets, b: Targets): Targets {
  return worst([...a, ...b])
}

/** Returns the targets of a loop's iterations. Each iteration may take another way. */
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
  // Each iteration takes one way, so it has at most as many values as the worst way. Their keys are
  // no longer known.
  const group: Target = {
    values: multiply(Math.max(...changing.map(sizeOf)), times),
    loops: new Set(changing.flatMap((set) => [...set.values()].flatMap(({ loops }) => [...loops])).filter((other) => other !== loop)),
  }
  return [together([same, new Map([[`in ${loop}`, group]])])]
}

/** Returns the largest number of different targets. */
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

/** Merges sets. The same key is the same target. */
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

/** Drops the ways that another way includes. */
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
