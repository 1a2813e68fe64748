import type { Json } from '../../domain/index.ts'
import { contentJson } from '../content.ts'
import { sightInJson } from './json-content.ts'
import type { ObservableKind } from './kinds.ts'
import type { Place, Sighting } from './sighting.ts'
import { sightByLook, sightInText } from './text-content.ts'

/** Something in an alert that a system can be asked about, and where it stands. The value itself is not kept: it belongs to the alert. */
export interface Observable {
  readonly kind: ObservableKind
  /** Name of the input. */
  readonly name: string
  readonly from: readonly Place[]
  /** Of a list: the path of the value within each item, empty where the item is the value; null where it is no list. */
  readonly member: readonly string[] | null
}

/** More would make a playbook that nobody reads. */
const maxObservables = 24
/** Characters of a text that are looked at. */
const maxText = 65_536

/** In the order in which they stand in the content; the same value under several keys is one observable with several places. */
export function findObservables(content: string): readonly Observable[] {
  const json = jsonOf(content)
  const text = content.slice(0, maxText)
  const sightings = json === undefined ? sightInText(text) : withProse([...sightInJson(json)], text)
  const found = new Map<string, { readonly first: Sighting; readonly from: Place[] }>()
  for (const sighting of sightings) {
    const { kind, value, from, member } = sighting
    // A list is itself, whatever is in it; it is met once for each of its items.
    const key = member === null ? `${kind} ${value}` : `${kind} ${JSON.stringify([from, member])}`
    const known = found.get(key)
    if (known !== undefined) {
      if (member === null) known.from.push(from)
    } else if (found.size < maxObservables) found.set(key, { first: sighting, from: [from] })
  }
  const taken = new Set<string>()
  return [...found.values()].map(({ first, from }) => ({ kind: first.kind, name: nameOf(first, taken), from, member: first.member }))
}

/** A log line or a title within JSON names what no path does. */
function withProse(sightings: readonly Sighting[], text: string): readonly Sighting[] {
  const known = new Set(sightings.map(({ kind }) => kind))
  return [...sightings, ...sightByLook(text).filter(({ kind }) => !known.has(kind))]
}

/** Only an object or list has paths; a number or a quoted text is text. */
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
