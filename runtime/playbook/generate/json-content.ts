import type { Json } from '../../domain/index.ts'
import { kindOf, severityKind, singular, snake } from './kinds.ts'
import type { Sighting } from './sighting.ts'

const maxDepth = 8
const maxValues = 2_000
/** Items of a list that are looked at; the playbook looks at more. */
const maxItems = 3

/** Where a walk stands. */
interface At {
  /** To the value, or to the list that it is in. */
  readonly path: readonly string[]
  /** From an item of that list to the value; null outside of lists. */
  readonly member: readonly string[] | null
  readonly keys: readonly string[]
}

/** The observables of JSON content. What is in a list is a list of observables, of which each item is asked about. */
export function* sightInJson(root: Json): Generator<Sighting> {
  let seen = 0
  function* visit(value: Json, at: At): Generator<Sighting> {
    const { path, member, keys } = at
    seen += 1
    if (seen > maxValues || path.length + (member?.length ?? 0) > maxDepth) return
    if (typeof value === 'string') {
      const sighting = sight(value, at)
      if (sighting !== null) yield sighting
    } else if (Array.isArray(value)) {
      for (const [index, item] of (value as readonly Json[]).slice(0, maxItems).entries()) {
        // Content that is a list has no path of its own; a list within a list gives its first items.
        if (path.length === 0) yield* visit(item, { path: [String(index)], member, keys })
        else yield* visit(item, { path, member: member === null ? [] : [...member, String(index)], keys })
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        // A key that a path could not name; within an item it is a filter's argument, where a dot or a quote has a meaning.
        if (!/^[A-Za-z0-9_@$:-]{1,64}$/.test(key)) continue
        const inner = [...keys, snake(key)]
        if (member === null) yield* visit(item as Json, { path: [...path, key], member, keys: inner })
        else yield* visit(item as Json, { path, member: [...member, key], keys: inner })
      }
    }
  }
  yield* visit(root, { path: [], member: null, keys: [] })
}

/** The key alone decides, or with the key around it: `issue: { id }` is an `issue_id`. */
function sight(value: string, { path, member, keys }: At): Sighting | null {
  const own = singular(keys.at(-1) ?? '')
  const around = [singular(keys.at(-2) ?? ''), own].filter((key) => key !== '').join('_')
  const kind = kindOf(own, value) ?? kindOf(around, value)
  if (kind === null || path.length === 0) return null
  // The severity of a part of the alert is not the alert's.
  if (kind === severityKind && member !== null) return null
  // A list is called what it is called in the alert.
  const listName = keys.at(-1) ?? ''
  const key = own === 'id' || isBare(own) ? around : member === null ? own : listName
  return { kind, key, value, from: ['content', ...path].join('.'), member }
}

/** Keys that say nothing without the key around them. */
function isBare(key: string): boolean {
  return ['id', 'name', 'value', 'address', 'email', 'ip', 'url', 'hash', 'sha256', 'domain'].includes(key)
}
