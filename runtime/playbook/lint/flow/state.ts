import { PersistentMap } from '../../persistent-map.ts'
import {
  absent,
  type Became,
  both,
  type Case,
  type Cause,
  isDisjoint,
  type Presence,
  type Result,
  readsOf,
  type Setting,
  type Sign,
} from './presence.ts'
import { type Fact, factOf, operationOf } from './rules.ts'

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
  /** The names whose cases have a sign that reads a path, by the same. */
  readonly names: Map<string, Set<string>>
  /** How many names may still be followed in detail. */
  room: number
  /** How many parts of conditions, each of which may decide, may still be analysed one by one. */
  parts: number
}

/** The most names that are followed in detail, over all places where paths meet. Only playbooks with hundreds of steps have more. */
const mostDetailed = 6_000

/** The most parts of `and`, `or` and `if` that are analysed one by one, over all conditions. Only playbooks with thousands of conditions have more. */
const mostParts = 10_000

/** The most signs that are looked at to find out what is known of one name. */
const mostSigns = 40
/** How far signs may depend on each other: a variable tells what became of a step, and that tells what became of another step. */
const maxChain = 3

/** Returns the state at the start of a playbook. */
export function opening(): State {
  return {
    reachable: true,
    names: PersistentMap.empty(),
    facts: PersistentMap.empty(),
    readers: { facts: new Map(), names: new Map(), room: mostDetailed, parts: mostParts },
  }
}

export function unreachable(state: State): State {
  return { ...state, reachable: false }
}

/** Returns what is known of a step or variable at this place of the playbook. */
export function presenceOf(state: State, name: string): Presence {
  return resolved(state, state.names.get(name) ?? absent)
}

/**
 * Leaves out the results that do not fit what is known at this place.
 * @param signs how many signs may be looked at
 */
export function resolved(state: State, presence: Presence, signs: { left: number } | null = null): Presence {
  let known = presence
  // What tells directly comes first, because the number of signs has a limit.
  for (let chain = 0; chain <= maxChain && known.cases.length > 0 && known.may.size > 1; chain += 1)
    known = narrowedBy(state, known, signs ?? { left: mostSigns }, chain)
  return known
}

function narrowedBy(state: State, presence: Presence, signs: { left: number }, chain: number): Presence {
  let { may } = presence
  for (const known of presence.cases) {
    if (may.size < 2) break
    if (known.signs.every((sign) => isSeen(state, sign, signs, chain))) may = both(may, known.may)
  }
  return may.size === presence.may.size ? presence : { ...presence, may }
}

function isSeen(state: State, sign: Sign, signs: { left: number }, chain: number): boolean {
  signs.left -= 1
  if (signs.left < 0) return false
  if ('fact' in sign) return holds(state, sign.fact)
  const presence = state.names.get(sign.name) ?? absent
  if (isDisjoint(presence.may, sign.not)) return true
  return chain > 0 && presence.cases.length > 0 && isDisjoint(narrowedBy(state, presence, signs, chain - 1).may, sign.not)
}

export function become(state: State, name: string, became: Became | readonly Became[], cause: Cause | null = null): State {
  return { ...state, names: state.names.set(name, { may: new Set<Result>([became].flat()), cases: [], cause }) }
}

/** Sets variables. Forgets what depends on their old values. */
export function assign(state: State, settings: readonly Setting[]): State {
  const forgetful = forgetting(
    state,
    settings.map(({ name }) => `vars.${name}`),
  )
  let { names } = forgetful
  for (const setting of settings) names = names.set(`vars.${setting.name}`, { may: new Set([setting]), cases: [], cause: null })
  return { ...forgetful, names }
}

/** Forgets the facts and the cases that depend on what has changed. @param paths by their first two parts */
export function forgetting(state: State, paths: readonly string[]): State {
  const { readers } = state
  let { facts, names } = state
  for (const path of paths) {
    for (const key of readers.facts.get(path) ?? []) facts = facts.set(key, undefined)
    for (const name of readers.names.get(path) ?? []) {
      const presence = names.get(name)
      const cases = presence?.cases.filter(({ signs }) => signs.every((sign) => !readsOf(sign).includes(path)))
      if (presence !== undefined && cases !== undefined && cases.length < presence.cases.length) names = names.set(name, { ...presence, cases })
    }
  }
  return { ...state, facts, names }
}

/** Forgets what depends on a root, for a place where it means something else. */
export function withoutRoot(state: State, root: string): State {
  const { facts, names } = state.readers
  const paths = [...new Set([...facts.keys(), ...names.keys()])].filter((path) => path === root || path.startsWith(`${root}.`))
  return paths.length === 0 ? state : forgetting(state, paths)
}

export function withFact(state: State, fact: Fact): State {
  for (const path of fact.reads) note(state.readers.facts, path, fact.key)
  return { ...state, facts: state.facts.set(fact.key, fact) }
}

/** Notes that the cases of a name depend on what their signs read. */
export function noteCases({ readers }: State, name: string, cases: readonly Case[]): void {
  for (const { signs } of cases) for (const sign of signs) for (const path of readsOf(sign)) note(readers.names, path, name)
}

function note(readers: Map<string, Set<string>>, path: string, reader: string): void {
  const known = readers.get(path)
  if (known) known.add(reader)
  else readers.set(path, new Set([reader]))
}

/** Yields the facts of a state that read a path. @param path its first two parts */
export function* factsReading({ facts, readers }: State, path: string): Generator<Fact> {
  for (const key of readers.facts.get(path) ?? []) {
    const fact = facts.get(key)
    if (fact !== undefined) yield fact
  }
}

/** The facts about the parts of an `and` or `or`. They are asked for again and again. */
const partsOf = new WeakMap<Fact, readonly Fact[]>()

/** Returns whether a fact is known to hold. */
export function holds(state: Pick<State, 'facts'>, fact: Fact): boolean {
  if (state.facts.has(fact.key)) return true
  const operation = operationOf(fact.rule)
  if (operation?.name !== 'and' && operation?.name !== 'or') return false
  const all = (operation.name === 'and') === fact.holds
  const parts = partsOf.get(fact) ?? operation.given.map((part) => factOf(part, fact.holds))
  partsOf.set(fact, parts)
  return all ? parts.every((part) => holds(state, part)) : parts.some((part) => holds(state, part))
}
