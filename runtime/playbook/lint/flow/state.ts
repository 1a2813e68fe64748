import type { Json } from '../../../domain/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'
import { constantOf, type Fact, factOf, operationOf, opposite, substitute, unknown, type VarRead, varsOf } from './rules.ts'

/** What may have become of a step when a place is reached; of a variable `done` is set. `absent`: it was not come to. */
export type Became = 'absent' | 'skipped' | 'failed' | 'done'

/** Why something may not be there. */
export interface Cause {
  readonly kind: 'skipped' | 'branch' | 'failed' | 'loop' | 'parallel' | 'handler' | 'stop'
  /** What decides: the condition, the loop, the step that may fail, the `stop`. */
  readonly path: DocumentPath
}

/** A step (`steps.user`) or variable (`vars.found`) as it may be at a place. */
export interface Presence {
  readonly may: ReadonlySet<Became>
  /** Facts that prove together that it is done; any one of these sets is enough. */
  readonly proofs: readonly (readonly Fact[])[]
  /** What first made it uncertain. */
  readonly cause: Cause | null
}

/** What is known at a place of the playbook. */
export interface State {
  /** Whether the place can be reached at all. */
  readonly reachable: boolean
  /** By `steps.<id>` or `vars.<name>`; one that is not here cannot be there. */
  readonly names: ReadonlyMap<string, Presence>
  readonly facts: ReadonlyMap<string, Fact>
}

const absent: Presence = { may: new Set(['absent']), proofs: [], cause: null }
export const certain: Presence = { may: new Set(['done']), proofs: [], cause: null }
export const opening: State = { reachable: true, names: new Map(), facts: new Map() }
/** More ways to prove one thing are not kept. */
const maxProofs = 8

export function unreachable(state: State): State {
  return { ...state, reachable: false }
}

export function presenceOf(state: State, name: string): Presence {
  const presence = state.names.get(name) ?? absent
  if (isDone(presence) || !presence.proofs.some((proof) => proof.every((fact) => holds(state, fact)))) return presence
  return certain
}

export function isDone({ may }: Presence): boolean {
  return may.size === 1 && may.has('done')
}

export function become(state: State, name: string, became: Became, cause: Cause | null = null): State {
  return { ...state, names: new Map(state.names).set(name, became === 'done' ? certain : { may: new Set([became]), proofs: [], cause }) }
}

/** Sets a variable: what was known through its former value is known no more. */
export function assign(state: State, names: Iterable<string>): State {
  const paths = new Set([...names].map((name) => `vars.${name}`))
  const kept = ({ vars }: Fact): boolean => vars.length === 0 || !vars.some((path) => paths.has(path))
  const facts = new Map([...state.facts].filter(([, fact]) => kept(fact)))
  const standing = [...state.names].map(([name, presence]): [string, Presence] => [
    name,
    presence.proofs.every((proof) => proof.every(kept)) ? presence : { ...presence, proofs: presence.proofs.filter((proof) => proof.every(kept)) },
  ])
  return { reachable: state.reachable, facts, names: new Map([...standing, ...[...paths].map((path): [string, Presence] => [path, certain])]) }
}

/** What is known where two ways meet. */
export function join(a: State, b: State, cause: Cause): State {
  if (!a.reachable) return b
  if (!b.reachable) return a
  const onlyA = separating(a, b)
  const onlyB = separating(b, a)
  const names = new Map<string, Presence>()
  for (const name of new Set([...a.names.keys(), ...b.names.keys()])) {
    const standing = a.names.get(name)
    // Nothing that happened on either way concerns it.
    if (standing !== undefined && standing === b.names.get(name)) {
      names.set(name, standing)
      continue
    }
    const left = presenceOf(a, name)
    const right = presenceOf(b, name)
    if (isDone(left) && isDone(right)) {
      names.set(name, certain)
      continue
    }
    const proofs = [...provedBy(left, right, onlyA), ...provedBy(right, left, onlyB)]
    const known = isDone(left) ? right.cause : isDone(right) ? left.cause : (left.cause ?? right.cause)
    names.set(name, { may: new Set([...left.may, ...right.may]), proofs: distinct(proofs).slice(0, maxProofs), cause: known ?? cause })
  }
  const facts = new Map([...a.facts].filter(([key]) => b.facts.has(key)))
  return { reachable: true, names, facts }
}

/** Facts of one way whose opposite holds on the other: each says which way was taken. */
function separating(a: State, b: State): readonly Fact[] {
  return [...a.facts.values()].filter((fact) => b.facts.has(opposite(fact).key))
}

function provedBy(own: Presence, other: Presence, tells: readonly Fact[]): (readonly Fact[])[] {
  if (isDone(own)) return tells.map((fact) => [fact])
  return own.proofs.flatMap((proof) => (isDone(other) || other.proofs.includes(proof) ? [proof] : tells.map((fact) => [...proof, fact])))
}

function distinct(proofs: readonly (readonly Fact[])[]): (readonly Fact[])[] {
  const seen = new Map(proofs.map((proof) => [[...new Set(proof.map(({ key }) => key))].sort().join(' '), proof]))
  return [...seen.values()].sort((a, b) => a.length - b.length)
}

/** Whether a condition is known to be as the fact says. */
export function holds({ facts }: State, fact: Fact): boolean {
  if (facts.has(fact.key)) return true
  const operation = operationOf(fact.rule)
  if (operation?.name !== 'and' && operation?.name !== 'or') return false
  const all = (operation.name === 'and') === fact.holds
  const parts = operation.given.map((part) => factOf(part, fact.holds))
  return all ? parts.every((part) => holds({ facts } as State, part)) : parts.some((part) => holds({ facts } as State, part))
}

/** What is known once a condition has held, or has not. A place that is then contradicted cannot be reached. */
export function assume(state: State, rule: Json, truth: boolean, depth = 0): State {
  if (!state.reachable) return state
  const constant = constantOf(rule)
  if (constant !== null) return constant === truth ? state : unreachable(state)
  const operation = operationOf(rule)
  const nested = depth < 20 ? operation : null
  const [only] = nested?.given ?? []
  let next = state
  if ((nested?.name === '!' || nested?.name === '!!') && only !== undefined) {
    next = assume(state, only, nested.name === '!' ? !truth : truth, depth + 1)
  } else if (nested?.name === 'and' || nested?.name === 'or') {
    next = assumeAll(state, nested.given, nested.name === 'or', truth, depth + 1)
  } else {
    next = narrowed(state, rule, truth)
  }
  const fact = factOf(rule, truth)
  return { ...next, facts: new Map(next.facts).set(fact.key, fact) }
}

/** `and` ends at the first that does not hold, `or` at the first that does. */
function assumeAll(state: State, parts: readonly Json[], decisive: boolean, truth: boolean, depth: number): State {
  if (truth !== decisive) return parts.reduce<State>((at, part) => assume(at, part, truth, depth), state)
  const cause: Cause = { kind: 'branch', path: [] }
  let undecided = state
  let met = unreachable(state)
  for (const part of parts) {
    met = join(assume(undecided, part, decisive, depth), met, cause)
    undecided = assume(undecided, part, !decisive, depth)
  }
  return met
}

/** Leaves out what a step or variable cannot have become when the condition is as it is. */
function narrowed(state: State, rule: Json, truth: boolean): State {
  const reads = [...varsOf(rule)]
  const names = new Map<string, Presence>()
  for (const name of new Set(reads.flatMap(({ path }) => (path.length > 1 && isTracked(path) ? [path.slice(0, 2).join('.')] : [])))) {
    const presence = presenceOf(state, name)
    if (presence.may.size < 2) continue
    const may = [...presence.may].filter((became) => {
      const own = reads.filter(({ path }) => path.slice(0, 2).join('.') === name)
      // Without a default the condition fails, and what comes after is not reached.
      if (own.some((read) => read.fallback === undefined && isMissing(read, became))) return false
      const settled = constantOf(substitute(rule, (read) => (read.path.slice(0, 2).join('.') === name ? knownValue(read, became) : unknown)))
      return settled === null || settled === truth
    })
    names.set(name, { ...presence, may: new Set(may) })
  }
  return names.size === 0 ? state : { ...state, names: new Map([...state.names, ...names]) }
}

export function isTracked([root]: readonly string[]): boolean {
  return root === 'steps' || root === 'vars'
}

/** Whether a path below a step or variable leads nowhere when that is what became of it. */
export function isMissing({ path: [root, , field] }: Pick<VarRead, 'path'>, became: Became): boolean {
  if (became === 'absent') return true
  if (root === 'vars' || field === undefined || field === 'status') return false
  return field === 'output' ? became !== 'done' : field === 'error' ? became !== 'failed' : false
}

function knownValue(read: VarRead, became: Became): Json | typeof unknown {
  if (isMissing(read, became)) return read.fallback ?? null
  return read.path[0] === 'steps' && read.path[2] === 'status' && read.path.length === 3 ? became : unknown
}
