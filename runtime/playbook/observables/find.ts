import type { Json } from '../../domain/index.ts'
import { contentJson } from '../content.ts'
import { sightInJson } from './json-content.ts'
import type { ObservableKind } from './kinds.ts'
import type { Place, Sighting } from './sighting.ts'
import { sightByLook, sightInText } from './text-content.ts'

/**
 * Something in an alert that a system can look up, and its places in the alert. It does not hold
 * the value, which belongs to the alert alone.
 */
export interface Observable {
  readonly kind: ObservableKind
  /** The name of the input. */
  readonly name: string
  readonly from: readonly Place[]
  /**
   * For a list: the path to the value within each item, empty if the item is the value. Null if it
   * is not a list.
   */
  readonly member: readonly string[] | null
}

/** With more, nobody would read the playbook. */
const maxObservables = 24
/** The generator looks at this many characters of a text. */
const maxText = 65_536
/** The generator looks at this many items of a list. The playbook looks at more. */
const maxItems = 3

/**
 * Finds the observables in the order of the content. A value that occurs under several keys is one
 * observable with several places.
 */
export function findObservables(content: string): readonly Observable[] {
  const json = jsonOf(content)
  const text = content.slice(0, maxText)
  const sightings = json === undefined ? sightInText(text) : withProse([...sightInJson(json, maxItems)], text)
  const found = new Map<string, { readonly first: Sighting; readonly from: Place[] }>()
  for (const sighting of sightings) {
    const { kind, value, from, member } = sighting
    // A list is found once for each of its items. All those sightings are one observable.
    const key = member === null ? `${kind} ${value}` : `${kind} ${JSON.stringify([from, member])}`
    const known = found.get(key)
    if (known !== undefined) {
      if (member === null) known.from.push(from)
    } else if (found.size < maxObservables) found.set(key, { first: sighting, from: [from] })
  }
  const taken = new Set<string>()
  return [...found.values()].map(({ first, from }) => ({ kind: first.kind, name: nameOf(first, taken), from, member: first.member }))
}

/** Adds observables that only occur inside a text, such as a log line or a title in JSON. */
function withProse(sightings: readonly Sighting[], text: string): readonly Sighting[] {
  const known = new Set(sightings.map(({ kind }) => kind))
  return [...sightings, ...sightByLook(text).filter(({ kind }) => !known.has(kind))]
}

/** Returns undefined if the content is not a JSON object or list. Then it is treated as text. */
function jsonOf(content: string): Json | undefined {
  const json = contentJson(content)
  return typeof json === 'object' && json !== null ? json : undefined
}

function nameOf({ key, kind }: Sighting, taken: Set<string>): string {
  const base = (/^[a-z]/.test(key) ? key : kind).slice(0, 48)
  let name = base
  for (let count = 2; taken.has(name); count += 1) name = `${base}_${count}`
  taken.add(name)
  return name
}
