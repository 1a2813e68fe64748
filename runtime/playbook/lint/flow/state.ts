import type { Json } from '../../../domain/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'
import { PersistentMap } from '../../persistent-map.ts'
import { constantOf, type Fact, factOf, operationOf, oppositeKey, substitute, unknown, type VarRead, varsOf } from './rules.ts'

/** The possible results of a step at some place. For a variable, `done` means set. `absent`: the step was not reached. */
export type Became = 'absent' | 'skipped' | 'failed' | 'done'

/** Why a value may be missing. */
export interface Cause {
  readonly kind: 'skipped' | 'branch' | 'failed' | 'loop' | 'parallel' | 'handler' | 'stop'
  /** The path of the cause: a condition, a loop, a step that may fail, or a `stop`. */
  readonly path: DocumentPath
}

/** What is known of a step (`steps.user`) or a variable (`vars.found`) at some place. */
export interface Presence {
  readonly may: ReadonlySet<Became>
  /** Sets of facts. If all facts of one set hold, it is done. */
  readonly proofs: readonly (readonly Fact[])[]
  /** The first reason why it is uncertain. */
  readonly cause: Cause | null
}

/** What is known at some place of the playbook. */
export interface State {
  /** Whether the place can be reached at all. */
  readonly reachable: boolean
  /** By `steps.<id>` or `vars.<name>`. A name that is not here cannot exist at this place. */
  readonly names: PersistentMap<Presence>
  /** The facts, by key. */
  readonly facts: PersistentMap<Fact>
  readonly readers: Readers
}

/**
 * An index from paths to the facts and names that depend on them. All states of a playbook share one, and entries are only added. It saves a
 * search through all facts.
 */
interface Readers {
  /** The keys of the facts that read a path, by its first two parts (`vars.found`, `steps.look`), or by its root if it has no more. */
  readonly facts: Map<string, Set<string>>
  /** The names whose proofs contain such a fact, by `vars.<name>`. */
  readonly names: Map<string, Set<string>>
}

const absent: Presence = { may: new Set(['absent']), proofs: [], cause: null }
export const certain: Presence = { may: new Set(['done']), proofs: [], cause: null }
/** The most proofs that are kept for one name. */
const maxProofs = 8
/** The deepest nesting of `and` and `or` that is analysed. Each level analyses its parts twice. Deeper conditions are taken as a whole. */
const maxDepth = 12
/** The most parts of an `and` or `or` that are analysed one by one. The cost grows with their square. */
const maxDeciding = 100
/** The most steps and variables of one condition that are analysed. If it reads more, it says nothing about any of them. */
const maxNarrowed = 50

/** Returns the state at the start of a playbook. */
export function opening(): State {
  return { reachable: true, names: PersistentMap.empty(), facts: PersistentMap.empty(), readers: { facts: new Map(), names: new Map() } }
}

export function unreachable(state: State): State {
  return { ...state, reachable: false }
}

/** Returns what is known of a step or variable at this place of the playbook. */
export function presenceOf(state: State, name: string): Presence {
  return proved(state, state.names.get(name) ?? absent)
}

function proved(state: State, presence: Presence): Presence {
  if (isDone(presence) || !presence.proofs.some((proof) => proof.every((fact) => holds(state, fact)))) return presence
  return certain
}

/** Returns whether a step is certainly done. */
export function isDone({ may }: Presence): boolean {
  return may.size === 1 && may.has('done')
}

export function become(state: State, name: string, became: Became, cause: Cause | null = null): State {
  return { ...state, names: state.names.set(name, became === 'done' ? certain : { may: new Set([became]), proofs: [], cause }) }
}

/** Sets a variable. Forgets the facts that depend on its old value. */
export function assign(state: State, names: Iterable<string>): State {
  const paths = [...names].map((name) => `vars.${name}`)
  let standing = state.names
  for (const path of paths) {
    for (const name of state.readers.names.get(path) ?? []) {
      const presence = standing.get(name)
      const proofs = presence?.proofs.filter((proof) => proof.every(({ reads }) => !reads.includes(path)))
      if (presence !== undefined && proofs !== undefined && proofs.length < presence.proofs.length)
        standing = standing.set(name, { ...presence, proofs })
    }
  }
  for (const path of paths) standing = standing.set(path, certain)
  return { ...state, facts: factsWithout(state, paths), names: standing }
}

/** Returns the facts of a state without those that read one of these variables. @param paths `vars.<name>` */
export function factsWithout({ facts, readers }: State, paths: Iterable<string>): State['facts'] {
  let kept = facts
  for (const path of paths) for (const key of readers.facts.get(path) ?? []) kept = kept.set(key, undefined)
  return kept
}

/** Forgets the facts that read a root, for a place where it means something else. */
export function withoutRoot(state: State, root: string): State {
  const paths = [...state.readers.facts.keys()].filter((path) => path === root || path.startsWith(`${root}.`))
  return paths.length === 0 ? state : { ...state, facts: factsWithout(state, paths) }
}

function withFact(state: State, fact: Fact): State {
  for (const path of fact.reads) note(state.readers.facts, path, fact.key)
  return { ...state, facts: state.facts.set(fact.key, fact) }
}

/** Yields the facts of a state that read a path. @param path its first two parts */
export function* factsReading({ facts, readers }: State, path: string): Generator<Fact> {
  for (const key of readers.facts.get(path) ?? []) {
    const fact = facts.get(key)
    if (fact !== undefined) yield fact
  }
}

function note(readers: Map<string, Set<string>>, path: string, reader: string): void {
  const known = readers.get(path)
  if (known) known.add(reader)
  else readers.set(path, new Set([reader]))
}

/** Returns what is known where two paths meet. The cost grows with their difference. */
export function join(a: State, b: State, cause: Cause): State {
  if (!a.reachable) return b
  if (!b.reachable) return a
  const onlyA: Fact[] = []
  const onlyB: Fact[] = []
  let { facts } = a
  for (const { key, own, other } of a.facts.differences(b.facts)) {
    // A fact whose opposite holds on the other path tells which path was taken.
    if (own !== undefined && other === undefined) {
      facts = facts.set(key, undefined)
      if (onlyA.length < maxProofs && b.facts.has(oppositeKey(own))) onlyA.push(own)
    } else if (own === undefined && other !== undefined && onlyB.length < maxProofs && a.facts.has(oppositeKey(other))) onlyB.push(other)
  }
  let { names } = a
  for (const { key: name, own = absent, other = absent } of a.names.differences(b.names)) {
    // Most names of a long switch: a later case changes nothing about them.
    if (includes(own, other)) continue
    const left = proved(a, own)
    const right = proved(b, other)
    if (isDone(left) && isDone(right)) {
      names = names.set(name, certain)
      continue
    }
    const proofs = distinct([...provedBy(left, right, onlyA), ...provedBy(right, left, onlyB)]).slice(0, maxProofs)
    const known = isDone(left) ? right.cause : isDone(right) ? left.cause : (left.cause ?? right.cause)
    for (const path of proofs.flat().flatMap(({ reads }) => reads)) note(a.readers.names, path, name)
    names = names.set(name, { may: new Set([...left.may, ...right.may]), proofs, cause: known ?? cause })
  }
  return { ...a, names, facts }
}

/** Returns whether two paths meet in what is known on the first one. */
function includes(own: Presence, other: Presence): boolean {
  const nothingProved = own.proofs.length === 0 && other.proofs.length === 0 && !isDone(own) && !isDone(other)
  return nothingProved && own.cause !== null && [...other.may].every((became) => own.may.has(became))
}

function provedBy(own: Presence, other: Presence, tells: readonly Fact[]): (readonly Fact[])[] {
  if (isDone(own)) return tells.map((fact) => [fact])
  return own.proofs.flatMap((proof) => (isDone(other) || other.proofs.includes(proof) ? [proof] : tells.map((fact) => [...proof, fact])))
}

function distinct(proofs: readonly (readonly Fact[])[]): (readonly Fact[])[] {
  const seen = new Map(proofs.map((proof) => [[...new Set(proof.map(({ key }) => key))].sort().join(' '), proof]))
  return [...seen.values()].sort((a, b) => a.length - b.length)
}

/** Returns whether a fact is known to hold. */
export function holds(state: Pick<State, 'facts'>, fact: Fact): boolean {
  if (state.facts.has(fact.key)) return true
  const operation = operationOf(fact.rule)
  if (operation?.name !== 'and' && operation?.name !== 'or') return false
  const all = (operation.name === 'and') === fact.holds
  const parts = operation.given.map((part) => factOf(part, fact.holds))
  return all ? parts.every((part) => holds(state, part)) : parts.some((part) => holds(state, part))
}

/** Returns what is known after a condition was true, or false. If that contradicts the state, the place is unreachable. */
export function assume(state: State, rule: Json, truth: boolean, depth = 0): State {
  if (!state.reachable) return state
  const constant = constantOf(rule)
  if (constant !== null) return constant === truth ? state : unreachable(state)
  const operation = operationOf(rule)
  const nested = depth < maxDepth ? operation : null
  const [only] = nested?.given ?? []
  let next = state
  if ((nested?.name === '!' || nested?.name === '!!') && only !== undefined) {
    next = assume(state, only, nested.name === '!' ? !truth : truth, depth + 1)
  } else if (nested?.name === 'and' || nested?.name === 'or') {
    next = assumeAll(state, nested.given, nested.name === 'or', truth, depth + 1)
  } else {
    next = narrowed(state, rule, truth)
  }
  return withFact(next, factOf(rule, truth))
}

/** `and` stops at the first part that is false, `or` at the first that is true. */
function assumeAll(state: State, parts: readonly Json[], decisive: boolean, truth: boolean, depth: number): State {
  if (truth !== decisive) return parts.reduce<State>((at, part) => assume(at, part, truth, depth), state)
  if (parts.length > maxDeciding) return state
  const cause: Cause = { kind: 'branch', path: [] }
  let undecided = state
  let met = unreachable(state)
  for (const part of parts) {
    met = join(assume(undecided, part, decisive, depth), met, cause)
    undecided = assume(undecided, part, !decisive, depth)
  }
  return met
}

/** Removes the results of steps and variables that contradict the condition. */
function narrowed(state: State, rule: Json, truth: boolean): State {
  const byName = Map.groupBy(
    [...varsOf(rule)].filter(({ path }) => path.length > 1 && isTracked(path)),
    ({ path }) => path.slice(0, 2).join('.'),
  )
  if (byName.size > maxNarrowed) return state
  let { names } = state
  for (const [name, own] of byName) {
    const presence = presenceOf(state, name)
    if (presence.may.size < 2) continue
    const may = [...presence.may].filter((became) => {
      // Without a default the condition would have failed, and this place would not be reached.
      if (own.some((read) => read.fallback === undefined && isMissing(read, became))) return false
      const settled = constantOf(substitute(rule, (read) => (read.path.slice(0, 2).join('.') === name ? knownValue(read, became) : unknown)))
      return settled === null || settled === truth
    })
    names = names.set(name, { ...presence, may: new Set(may) })
  }
  return { ...state, names }
}

/** Returns whether a path reads a step or a variable. */
export function isTracked([root]: readonly string[]): boolean {
  return root === 'steps' || root === 'vars'
}

/** Returns whether a path below a step or variable is missing if it had this result. */
export function isMissing({ path: [root, , field] }: Pick<VarRead, 'path'>, became: Became): boolean {
  if (became === 'absent') return true
  if (root === 'vars' || field === undefined || field === 'status') return false
  return field === 'output' ? became !== 'done' : field === 'error' ? became !== 'failed' : false
}

function knownValue(read: VarRead, became: Became): Json | typeof unknown {
  if (isMissing(read, became)) return read.fallback ?? null
  return read.path[0] === 'steps' && read.path[2] === 'status' && read.path.length === 3 ? became : unknown
}
