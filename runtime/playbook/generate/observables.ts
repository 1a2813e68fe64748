import { type Json, parseJson } from '../../domain/index.ts'
import { compilePattern } from '../../expressions/index.ts'
import { kindOf, loosePatterns, type ObservableKind, snake } from './kinds.ts'

/** Something in an alert that a system can be asked about, and where it stands. The value itself is not kept: it belongs to the alert. */
export interface Observable {
  readonly kind: ObservableKind
  /** Name of the input. */
  readonly name: string
  readonly from: readonly (string | { readonly pattern: string })[]
}

/** More would make a playbook that nobody reads. */
const maxObservables = 24
const maxDepth = 8
const maxValues = 2_000
/** Items of a list that are looked at. */
const maxItems = 3
/** Characters of a text that are looked at. */
const maxText = 65_536

interface Sighting {
  readonly kind: ObservableKind
  readonly key: string
  readonly value: string
  readonly from: string | { readonly pattern: string }
}

/** In the order in which they stand in the content; the same value under several keys is one observable with several places. */
export function findObservables(content: string): readonly Observable[] {
  const json = jsonOf(content)
  const sightings = json === undefined ? inText(content.slice(0, maxText)) : [...inJson(json)]
  const found = new Map<string, { readonly first: Sighting; readonly from: Sighting['from'][] }>()
  for (const sighting of sightings) {
    const key = `${sighting.kind} ${sighting.value}`
    const known = found.get(key)
    if (known !== undefined) known.from.push(sighting.from)
    else if (found.size < maxObservables) found.set(key, { first: sighting, from: [sighting.from] })
  }
  const taken = new Set<string>()
  return [...found.values()].map(({ first, from }) => ({ kind: first.kind, name: nameOf(first, taken), from }))
}

/** Only an object or list has paths; a number or a quoted text is text. */
function jsonOf(content: string): Json | undefined {
  try {
    const json = parseJson(content)
    return typeof json === 'object' && json !== null ? json : undefined
  } catch {
    return undefined
  }
}

function* inJson(root: Json): Generator<Sighting> {
  let seen = 0
  function* visit(value: Json, path: readonly string[], keys: readonly string[]): Generator<Sighting> {
    seen += 1
    if (seen > maxValues || path.length > maxDepth) return
    if (typeof value === 'string') {
      const sighting = sight(value, path, keys)
      if (sighting !== null) yield sighting
    } else if (Array.isArray(value)) {
      for (const [index, item] of (value as readonly Json[]).slice(0, maxItems).entries()) yield* visit(item, [...path, String(index)], keys)
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        // A key that a path could not name.
        if (/^[A-Za-z0-9_@$:-]{1,64}$/.test(key)) yield* visit(item as Json, [...path, key], [...keys, snake(key)])
      }
    }
  }
  yield* visit(root, [], [])
}

/** The key alone decides, or with the key around it: `issue: { id }` is an `issue_id`. */
function sight(value: string, path: readonly string[], keys: readonly string[]): Sighting | null {
  const own = singular(keys.at(-1) ?? '')
  const around = [singular(keys.at(-2) ?? ''), own].filter((key) => key !== '').join('_')
  const kind = kindOf(own, value) ?? kindOf(around, value)
  return kind === null || path.length === 0
    ? null
    : { kind, key: own === 'id' || isBare(own) ? around : own, value, from: ['content', ...path].join('.') }
}

/** Keys that say nothing without the key around them. */
function isBare(key: string): boolean {
  return ['id', 'name', 'value', 'address', 'email', 'ip', 'url', 'hash', 'sha256', 'domain'].includes(key)
}

function singular(key: string): string {
  return /(?:ses|ss|us)$/.test(key) ? key.replace(/(address)es$/, '$1') : key.replace(/s$/, '')
}

function inText(text: string): readonly Sighting[] {
  const sightings: Sighting[] = []
  for (const [, key = '', value = ''] of text.matchAll(/(?<![\w.-])([A-Za-z][\w.-]{0,40})[ \t]{0,4}[=:][ \t]{0,4}"?([^\s,;"]{1,2000})/g)) {
    const kind = kindOf(snake(key), value)
    if (kind === null || sightings.some((other) => other.key === snake(key))) continue
    const pattern = String.raw`(?:^|[^\w.-])${key.replace(/[.-]/g, String.raw`\$&`)}[ \t]{0,4}[=:][ \t]{0,4}"?(?P<value>[^\s,;"]+)`
    sightings.push({ kind, key: snake(key), value, from: { pattern } })
  }
  for (const [kind, name, pattern] of loosePatterns) {
    const value = compilePattern(pattern).find(text)
    if (value !== null && kindOf('', value) === kind) sightings.push({ kind, key: name, value, from: { pattern } })
  }
  return sightings
}

function nameOf({ key, kind }: Sighting, taken: Set<string>): string {
  const base = (/^[a-z]/.test(key) ? key : kind).slice(0, 48)
  let name = base
  for (let count = 2; taken.has(name); count += 1) name = `${base}_${count}`
  taken.add(name)
  return name
}
