import type { Json } from '../../domain/index.ts'
import { Meter } from '../../expressions/index.ts'
import { contentJson } from '../content.ts'
import { sightInJson } from './json-content.ts'
import { type ObservableKind, severityKind } from './kinds.ts'
import type { Place } from './sighting.ts'
import { everyLook, sightInText } from './text-content.ts'

/** An observable with its value, for people. */
interface ListedObservable {
  readonly kind: ObservableKind
  readonly value: string
  /** The paths to the value in JSON content. Empty if it is inside a text. */
  readonly places: readonly string[]
}

const mostListed = 100
const mostPlaces = 10
const maxItems = 100
/** The longest value that is listed, in characters. Addresses, hashes and ids are shorter. */
const maxValue = 500
/** How many characters of text are searched, and how many values of JSON are looked at for texts. */
const maxText = 65_536
const maxTexts = 2_000

/**
 * Lists the observables of an alert's content, each value once, in the order of the content. It finds more than the
 * generator: all items of lists, and all values in texts. Takes at most about 20 milliseconds. For long content
 * call `readContent` first.
 *
 * @returns `more`: whether there are more than 100
 */
export function listObservables(content: string): { readonly items: readonly ListedObservable[]; readonly more: boolean } {
  const list = new Listing()
  const json = contentJson(content)
  const meter = new Meter()
  if (typeof json === 'object' && json !== null) {
    for (const { kind, value, from, member } of sightInJson(json, maxItems)) list.add(kind, value, pathOf(from, member))
    let left = maxText
    for (const text of textsIn(json)) {
      if (left <= 0) break
      for (const { kind, value } of everyLook(text.slice(0, left), meter)) list.add(kind, value, null)
      left -= text.length
    }
  } else {
    const text = content.slice(0, maxText)
    for (const { kind, value } of [...sightInText(text), ...everyLook(text, meter)]) list.add(kind, value, null)
  }
  return { items: list.items(), more: list.more }
}

class Listing {
  readonly #found = new Map<string, { readonly kind: ObservableKind; readonly value: string; readonly places: string[] }>()
  more = false

  add(kind: ObservableKind, value: string, place: string | null): void {
    if (kind === severityKind || value.length > maxValue) return
    const key = `${kind} ${value.toLowerCase()}`
    const known = this.#found.get(key)
    if (known === undefined && this.#found.size >= mostListed) {
      this.more = true
      return
    }
    const listed = known ?? { kind, value, places: [] }
    if (place !== null && listed.places.length < mostPlaces && !listed.places.includes(place)) listed.places.push(place)
    this.#found.set(key, listed)
  }

  items(): readonly ListedObservable[] {
    return [...this.#found.values()]
  }
}

/** Returns the path in the content. It has no index for the items of a list. */
function pathOf(from: Place, member: readonly string[] | null): string | null {
  if (typeof from !== 'string') return null
  return [from.replace(/^content\./, ''), ...(member ?? [])].join('.')
}

/** Returns the texts in JSON that have more than one word. */
function* textsIn(root: Json): Generator<string> {
  const waiting: Json[] = [root]
  for (let seen = 0; waiting.length > 0 && seen < maxTexts; seen += 1) {
    const value = waiting.shift() as Json
    if (typeof value === 'string') {
      if (/\s/.test(value.trim())) yield value
    } else if (typeof value === 'object' && value !== null) waiting.push(...Object.values(value).slice(0, maxTexts))
  }
}
