import type { Field } from '../org/field.ts'
import type { Org } from '../org/org.ts'
import type { Row, Value } from '../org/row.ts'
import { fieldNamed, type ObjectType, objectNamed } from '../org/schema.ts'
import { invalidField } from '../replies.ts'

/** The path from a record to a field, perhaps through references: `Account.Owner.Name`. */
export interface Path {
  readonly parents: readonly Field[]
  readonly field: Field
}

/** Parses a path. Raises INVALID_FIELD for an unknown column. */
export function pathOf(object: ObjectType, text: string): Path {
  const names = text.split('.')
  const last = names.pop() ?? ''
  if (names[0]?.toLowerCase() === object.name.toLowerCase()) names.shift()
  const parents: Field[] = []
  let at = object
  for (const name of names) {
    const way = at.fields.find(({ relationship }) => relationship?.toLowerCase() === name.toLowerCase())
    const next = way && objectNamed(way.refersTo ?? '')
    if (!way || !next)
      throw invalidField(
        `Didn't understand relationship '${name}' in field path. If you are attempting to use a custom relationship, be sure to append the '__r' after the custom relationship name.`,
      )
    parents.push(way)
    at = next
  }
  const field = fieldNamed(at, last)
  if (!field)
    throw invalidField(
      `No such column '${last}' on entity '${at.name}'. If you are attempting to use a custom field, be sure to append the '__c' after the custom field name.`,
    )
  return { parents, field }
}

/** Returns the value at the end of a path. Null if a reference on the path is empty. */
export function valueAt(org: Org, path: Path, row: Row): Value {
  let at: Row | null = row
  for (const way of path.parents) at = at && org.follow(way.refersTo ?? '', at[way.name] ?? null)
  return at?.[path.field.name] ?? null
}
