import type { Json } from '../../domain/index.ts'
import { kindOf, severityKind, singular, snake } from './kinds.ts'
import type { Sighting } from './sighting.ts'

const maxDepth = 8
const maxValues = 2_000

/** The place of a value during the search. */
interface At {
  /** The path to the value. If the value is in a list: the path to that list. */
  readonly path: readonly string[]
  /** The path from an item of that list to the value. Null outside of lists. */
  readonly member: readonly string[] | null
  readonly keys: readonly string[]
}

/**
 * Finds the observables in JSON content. A list yields a list of observables, and the playbook
 * looks up each item.
 *
 * @param maxItems how many items of a list are looked at
 */
export function* sightInJson(root: Json, maxItems: number): Generator<Sighting> {
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
        // Content that is itself a list has no path, so its items get paths of their own. In a
        // nested list, only the first items are used.
        if (path.length === 0) yield* visit(item, { path: [String(index)], member, keys })
        else yield* visit(item, { path, member: member === null ? [] : [...member, String(index)], keys })
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        // Skips keys that a path cannot name. Within an item the key becomes a filter's argument,
        // where dots and quotes have a meaning.
        if (!/^[A-Za-z0-9_@$:-]{1,64}$/.test(key)) continue
        const inner = [...keys, snake(key)]
        if (member === null) yield* visit(item as Json, { path: [...path, key], member, keys: inner })
        else yield* visit(item as Json, { path, member: [...member, key], keys: inner })
      }
    }
  }
  yield* visit(root, { path: [], member: null, keys: [] })
}

/** Recognizes a value by its key, or by its key and the parent key: `issue: { id }` is an `issue_id`. */
function sight(value: string, { path, member, keys }: At): Sighting | null {
  const own = singular(keys.at(-1) ?? '')
  const around = [singular(keys.at(-2) ?? ''), own].filter((key) => key !== '').join('_')
  const kind = kindOf(own, value) ?? kindOf(around, value)
  if (kind === null || path.length === 0) return null
  // The severity of one part of the alert is not the severity of the alert.
  if (kind === severityKind && member !== null) return null
  // An input for a list gets the name of the list in the alert.
  const listName = keys.at(-1) ?? ''
  const key = own === 'id' || isBare(own) ? around : member === null ? own : listName
  return { kind, key, value, from: ['content', ...path].join('.'), member }
}

/** Tells whether a key means nothing without its parent key. */
function isBare(key: string): boolean {
  return ['id', 'name', 'value', 'address', 'email', 'ip', 'url', 'hash', 'sha256', 'domain'].includes(key)
}
