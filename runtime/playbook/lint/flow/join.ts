import { absent, type Case, type Cause, either, isDone, isWithin, keyOf, type Presence, type Result, type Sign } from './presence.ts'
import { oppositeKey } from './rules.ts'
import { noteCases, resolved, type State } from './state.ts'

/** The most conditions that are kept to tell one path from the other. */
const mostFacts = 4
/** The most steps and variables that are kept for it. */
const mostNames = 6
/** The most cases that are kept for one name. */
const mostCases = 12
/** The most signs of one case. */
const longestCase = 4
/** The most signs that one meeting of paths looks at. */
const mostLooked = 1_000
/** The most names with all their cases, for each meeting of paths. For others, and in very long playbooks, one case of each path is kept. */
const mostDetailed = 50

/** A name that differs between two paths. */
interface Difference {
  readonly name: string
  readonly left: Presence
  readonly right: Presence
}

/** Returns what is known where two paths meet. The cost grows with their difference. */
export function join(a: State, b: State, cause: Cause): State {
  if (!a.reachable) return b
  if (!b.reachable) return a
  const { facts, onlyA, onlyB } = joinedFacts(a, b)
  const different = differencesOf(a, b)
  onlyA.push(...signsOf(different, 'left', 'right'))
  onlyB.push(...signsOf(different, 'right', 'left'))
  let { names } = a
  for (const [index, { name, left, right }] of different.entries()) {
    const may = either(left.may, right.may)
    const detailed = index < mostDetailed && a.readers.room > 0
    if (detailed) a.readers.room -= 1
    const cases = detailed ? detailedCases(name, [left, onlyA], [right, onlyB], may) : coarseCases([left, onlyA], [right, onlyB], may)
    noteCases(a, name, cases)
    const known = isDone(left) ? right.cause : isDone(right) ? left.cause : (left.cause ?? right.cause)
    names = names.set(name, { may, cases, cause: isDone({ may, cases, cause: null }) ? null : (known ?? cause) })
  }
  return { ...a, names, facts }
}

/** What is known of a name on one path, and the signs that this path was taken. */
type Side = readonly [presence: Presence, tells: readonly Sign[]]

function detailedCases(name: string, [left, tellsLeft]: Side, [right, tellsRight]: Side, may: ReadonlySet<Result>): readonly Case[] {
  const others = (sign: Sign): boolean => 'fact' in sign || sign.name !== name
  return shortest([...casesOf(left, right, tellsLeft.filter(others), may), ...casesOf(right, left, tellsRight.filter(others), may)])
}

function coarseCases([left, tellsLeft]: Side, [right, tellsRight]: Side, may: ReadonlySet<Result>): readonly Case[] {
  // An extended case would grow with every meeting of paths.
  if (left.cases.length > 1 || right.cases.length > 1) return left.cases.filter((known) => right.cases.includes(known))
  return [...casesOf(left, right, tellsLeft.slice(0, 1), may), ...casesOf(right, left, tellsRight.slice(0, 1), may)].slice(0, 2)
}

/** Returns the names that differ: first the variables, because authors use them to remember what happened, then the last steps. */
function differencesOf(a: State, b: State): readonly Difference[] {
  const signs = { left: mostLooked }
  const vars: Difference[] = []
  const steps: Difference[] = []
  for (const { key: name, own = absent, other = absent } of [...a.names.differences(b.names)].reverse()) {
    // Most names of a long switch: a later case changes nothing about them.
    if (includes(own, other)) continue
    const difference = { name, left: resolved(a, own, signs), right: resolved(b, other, signs) }
    if (name.startsWith('vars.')) vars.push(difference)
    else steps.push(difference)
  }
  return [...vars, ...steps]
}

/** Keeps the facts that hold on both paths. A fact whose opposite holds on the other path tells which path was taken. */
function joinedFacts(a: State, b: State): { readonly facts: State['facts']; readonly onlyA: Sign[]; readonly onlyB: Sign[] } {
  const onlyA: Sign[] = []
  const onlyB: Sign[] = []
  let { facts } = a
  for (const { key, own, other } of a.facts.differences(b.facts)) {
    if (own !== undefined && other === undefined) {
      facts = facts.set(key, undefined)
      if (onlyA.length < mostFacts && b.facts.has(oppositeKey(own))) onlyA.push({ fact: own })
    } else if (own === undefined && other !== undefined && onlyB.length < mostFacts && a.facts.has(oppositeKey(other))) onlyB.push({ fact: other })
  }
  return { facts, onlyA, onlyB }
}

/** Returns the signs that one path was taken: a name has none of the results that it can have on the other path. */
function signsOf(different: readonly Difference[], here: 'left' | 'right', there: 'left' | 'right'): readonly Sign[] {
  const found: Sign[] = []
  for (const difference of different) {
    if (found.length === mostNames) break
    const not = difference[there].may
    if (!isWithin(difference[here].may, not)) found.push({ name: difference.name, not })
  }
  return found
}

/** Returns whether two paths meet in what is known on the first one. */
function includes(own: Presence, other: Presence): boolean {
  const nothingMore = own.cases.length === 0 && other.cases.length === 0 && !isDone(own) && !isDone(other)
  return nothingMore && own.cause !== null && isWithin(other.may, own.may)
}

/** Returns the cases in which only the results of one path are possible, and those that were known on that path. */
function casesOf(own: Presence, other: Presence, tells: readonly Sign[], may: ReadonlySet<Result>): readonly Case[] {
  const path = own.may.size < may.size ? tells.map((sign): Case => ({ signs: [sign], may: own.may })) : []
  const inner = own.cases.flatMap((known) => {
    if (isWithin(other.may, known.may) || other.cases.includes(known)) return [known]
    return known.signs.length < longestCase ? tells.map((sign): Case => ({ signs: [...known.signs, sign], may: known.may })) : []
  })
  return [...path, ...inner]
}

function shortest(cases: readonly Case[]): readonly Case[] {
  if (cases.length < 2) return cases
  const seen = new Map<string, Case>()
  for (const known of cases) {
    const key = [...new Set(known.signs.map(keyOf))].sort().join(' & ')
    const standing = seen.get(key)
    if (standing === undefined || known.may.size < standing.may.size) seen.set(key, known)
  }
  return [...seen.values()].sort((a, b) => a.signs.length - b.signs.length).slice(0, mostCases)
}
