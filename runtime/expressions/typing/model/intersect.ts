import { step } from './effort.ts'
import { type Absence, any, isAny, type ListType, type NumberType, never, type ObjectType, type TextType, type Type } from './type.ts'

/** Returns the type of values that have both types. */
export function intersect(a: Type, b: Type): Type {
  step(1 + (a.text?.values?.length ?? 0) + (a.number?.values?.length ?? 0))
  const absence: Absence = a.absence === 'no' || b.absence === 'no' ? 'no' : a.absence === 'maybe' ? b.absence : a.absence
  if (isAny(a)) return { ...b, absence }
  if (isAny(b)) return { ...a, absence }
  return {
    absence,
    null: a.null && b.null,
    boolean: a.boolean.filter((value) => b.boolean.includes(value)),
    number: both(a.number, b.number, numbers),
    text: both(a.text, b.text, texts),
    list: both(a.list, b.list, lists),
    object: both(a.object, b.object, objects),
  }
}

/** Returns whether no value has both types. Does not look into lists and objects: two list types always share a value. */
export function apart(a: Type, b: Type): boolean {
  const met = intersect(a, b)
  return !met.null && met.boolean.length === 0 && met.number === null && met.text === null && met.list === null && met.object === null
}

function both<T>(a: T | null, b: T | null, join: (a: T, b: T) => T | null): T | null {
  if (a === null || b === null) return null
  return a === b ? a : join(a, b)
}

function values<T>(a: readonly T[] | null, b: readonly T[] | null): readonly T[] | null {
  if (a === null) return b
  return b === null ? a : a.filter((value) => b.includes(value))
}

function numbers(a: NumberType, b: NumberType): NumberType | null {
  const integer = a.integer || b.integer
  const met = values(a.values, b.values)?.filter((value) => !integer || Number.isInteger(value)) ?? null
  return met?.length === 0 ? null : { integer, values: met }
}

function texts(a: TextType, b: TextType): TextType | null {
  const met = values(a.values, b.values)
  return met?.length === 0 ? null : { values: met, format: a.format ?? b.format, semantic: a.semantic ?? b.semantic }
}

function lists(a: ListType, b: ListType): ListType {
  return { items: intersect(a.items, b.items), least: Math.max(a.least, b.least) }
}

function objects(a: ObjectType, b: ObjectType): ObjectType {
  step(a.fields.size + b.fields.size)
  const fields = new Map<string, Type>()
  for (const name of new Set([...a.fields.keys(), ...b.fields.keys()])) {
    fields.set(name, intersect(a.fields.get(name) ?? restOf(a), b.fields.get(name) ?? restOf(b)))
  }
  const others = a.others === 'closed' || b.others === 'closed' ? 'closed' : a.others === 'declared' || b.others === 'declared' ? 'declared' : 'open'
  return { fields, others, rest: intersect(a.rest, b.rest) }
}

/**
 * Returns the type of members that an object type does not name, for `allOf`: another schema may declare
 * them, unless this one closes the object.
 */
function restOf(type: ObjectType): Type {
  return type.others === 'closed' ? { ...never, absence: 'maybe' } : { ...any, absence: 'maybe' }
}
