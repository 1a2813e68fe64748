import type { Json } from '../../../domain/index.ts'
import { step } from './effort.ts'

/**
 * Whether a value may be missing. `no`: it is there. `maybe`: it is optional. `unsaid`: nothing says whether it is there, as for an
 * undeclared member, or a schema that requires no property.
 */
export type Absence = 'no' | 'unsaid' | 'maybe'

/**
 * What is known about a JSON value before a run: for every kind, whether the value may be of that kind, and what is known about it then. If
 * a type has no kind, there is no value at all. If such a value may be missing, it always is.
 */
export interface Type {
  readonly absence: Absence
  readonly null: boolean
  /** The possible values. */
  readonly boolean: readonly boolean[]
  readonly number: NumberType | null
  readonly text: TextType | null
  readonly list: ListType | null
  readonly object: ObjectType | null
}

export interface NumberType {
  readonly integer: boolean
  /** The possible values. Null if they are not known. */
  readonly values: readonly number[] | null
}

export interface TextType {
  /** The possible values. Null if they are not known. */
  readonly values: readonly string[] | null
  readonly format: string | null
  /** A skill's `x-semantic`: what the text stands for. */
  readonly semantic: string | null
}

export interface ListType {
  /** Its absence is always `no`: a list has no holes. */
  readonly items: Type
  /** The least number of items. */
  readonly least: number
}

export interface ObjectType {
  readonly fields: ReadonlyMap<string, Type>
  /** The type of members that are not among the fields. */
  readonly rest: Type
  /** `closed`: there are no other members. `declared`: others are allowed, but a schema names the usual ones. `open`: members can have any name. */
  readonly others: 'closed' | 'declared' | 'open'
}

const kinds = ['null', 'boolean', 'number', 'text', 'list', 'object'] as const
export type Kind = (typeof kinds)[number]

const nothing = { absence: 'no', null: false, boolean: [], number: null, text: null, list: null, object: null } as const satisfies Type

/** The type of no value. */
export const never: Type = nothing
/** The type of a value that is always missing. */
export const absent: Type = { ...nothing, absence: 'maybe' }

export const plainText: TextType = { values: null, format: null, semantic: null }
const plainNumber: NumberType = { integer: false, values: null }
/** The type of the empty list. */
const emptyList: ListType = { items: never, least: 0 }

/**
 * Returns the type of anything, with anything inside: it contains itself. Unions keep its list and object,
 * and `isOfAny` recognizes it by them.
 */
function endless(absence: Absence): Type {
  const list = { items: never, least: 0 }
  const object = { fields: new Map<string, Type>(), rest: never, others: 'open' as const }
  const type: Type = { ...nothing, null: true, boolean: [true, false], number: plainNumber, text: plainText, list, object }
  list.items = type
  object.rest = { ...type, absence }
  return type
}

/** Any value that is there. Nothing is known about its members. */
export const any: Type = endless('unsaid')
/** Any value from outside. Every member of it may be missing. */
export const foreign: Type = endless('maybe')

export const nullType: Type = { ...nothing, null: true }
export const boolean: Type = { ...nothing, boolean: [true, false] }
export const number: Type = { ...nothing, number: plainNumber }
export const integer: Type = { ...nothing, number: { integer: true, values: null } }
export const text: Type = { ...nothing, text: plainText }

/** Returns the type of texts with these properties. */
export function textOf(more: Partial<TextType>): Type {
  return { ...nothing, text: { ...plainText, ...more } }
}

/** Returns the type of one of these texts. */
export function oneOf(...values: readonly string[]): Type {
  return textOf({ values })
}

/**
 * Returns the type of lists of these items.
 * @param least how many items a list has at least
 */
export function listOf(items: Type, least = 0): Type {
  return { ...nothing, list: { items: present(items), least } }
}

/** Any list. */
export const list: Type = listOf(any)

/**
 * Returns the type of objects with these fields.
 * @param others whether there may be others
 * @param rest the type of the others
 */
export function objectOf(
  fields: Readonly<Record<string, Type>> | ReadonlyMap<string, Type>,
  others: ObjectType['others'] = 'closed',
  rest?: Type,
): Type {
  const map = fields instanceof Map ? (fields as ReadonlyMap<string, Type>) : new Map(Object.entries(fields as Readonly<Record<string, Type>>))
  return { ...nothing, object: { fields: map, others, rest: rest ?? (others === 'closed' ? absent : unsaid) } }
}

/** Any value. Nothing says whether it is there. */
export const unsaid: Type = { ...any, absence: 'unsaid' }

/** Returns the type of a known value. */
export function typeOfValue(value: Json): Type {
  if (value === null) return nullType
  switch (typeof value) {
    case 'boolean':
      return { ...nothing, boolean: [value] }
    case 'number':
      return { ...nothing, number: { integer: Number.isInteger(value), values: [value] } }
    case 'string':
      return oneOf(value)
    default:
      if (Array.isArray(value)) {
        const items = (value as readonly Json[]).map(typeOfValue)
        return { ...nothing, list: items.length === 0 ? emptyList : { items: unionOf(items), least: items.length } }
      }
      return objectOf(Object.fromEntries(Object.entries(value as Readonly<Record<string, Json>>).map(([key, item]) => [key, typeOfValue(item)])))
  }
}

/** Returns the type without its absence: the value is there. */
export function present(type: Type): Type {
  return type.absence === 'no' ? type : { ...type, absence: 'no' }
}

/** Returns the type of a value that may be absent, at least as surely as `absence` says. */
export function optional(type: Type, absence: Absence = 'maybe'): Type {
  return moreAbsent(type.absence, absence) === type.absence ? type : { ...type, absence: moreAbsent(type.absence, absence) }
}

/** Returns the type with null. */
export function nullable(type: Type): Type {
  return type.null ? type : { ...type, null: true }
}

const absences: readonly Absence[] = ['no', 'unsaid', 'maybe']

/** Returns the one of two absences with which a value is more likely missing. */
export function moreAbsent(a: Absence, b: Absence): Absence {
  return absences.indexOf(a) >= absences.indexOf(b) ? a : b
}

/** Returns the kinds that a value of this type may have. */
export function kindsOf(type: Type): readonly Kind[] {
  return kinds.filter((kind) => has(type, kind))
}

/** Returns whether a value of this type may have a kind. */
export function has(type: Type, kind: Kind): boolean {
  const part = type[kind]
  return Array.isArray(part) ? part.length > 0 : part !== null && part !== false
}

/** Returns the part of a type that has these kinds. Keeps its absence. */
export function only(type: Type, ...kept: readonly Kind[]): Type {
  const keeps = (kind: Kind): boolean => kept.includes(kind)
  return {
    absence: type.absence,
    null: type.null && keeps('null'),
    boolean: keeps('boolean') ? type.boolean : [],
    number: keeps('number') ? type.number : null,
    text: keeps('text') ? type.text : null,
    list: keeps('list') ? type.list : null,
    object: keeps('object') ? type.object : null,
  }
}

/** Returns the type without some kinds. Keeps its absence. */
export function without(type: Type, ...dropped: readonly Kind[]): Type {
  return only(type, ...kinds.filter((kind) => !dropped.includes(kind)))
}

/** Returns whether no value has this type. */
export function isNever(type: Type): boolean {
  return kindsOf(type).length === 0
}

/** Returns whether a value of this type can be anything. */
export function isAny(type: Type): boolean {
  return isOfAny(type) && kindsOf(type).length === kinds.length
}

/** Returns whether a type is a part of `any` or `foreign`. Its kinds then only say what it is not. */
export function isOfAny(type: Type): boolean {
  return type.list === any.list || type.list === foreign.list
}

/** Returns all possible values. Null if they are not all known, or if one can be a list or an object. */
export function valuesOf(type: Type): readonly (string | number | boolean | null)[] | null {
  if (type.list !== null || type.object !== null || (type.number !== null && type.number.values === null)) return null
  if (type.text !== null && type.text.values === null) return null
  return [...(type.null ? [null] : []), ...type.boolean, ...(type.number?.values ?? []), ...(type.text?.values ?? [])]
}

/** The most values that a type lists. With more, it lists none, so that types stay small. */
const mostValues = 200

/** Returns the type of values that have at least one of two types. */
export function union(a: Type, b: Type): Type {
  if (a === b) return a
  if (isEmpty(a)) return b
  if (isEmpty(b)) return a
  if (isAny(a)) return optional(a, b.absence)
  if (isAny(b)) return optional(b, a.absence)
  step(1 + (a.text?.values?.length ?? 0) + (a.number?.values?.length ?? 0))
  return {
    absence: moreAbsent(a.absence, b.absence),
    null: a.null || b.null,
    boolean: [...new Set([...a.boolean, ...b.boolean])],
    number: either(a.number, b.number, (x, y) => ({ integer: x.integer && y.integer, values: together(x.values, y.values) })),
    text: either(a.text, b.text, unionOfTexts),
    list: either(a.list, b.list, unionOfLists),
    object: either(a.object, b.object, unionOfObjects),
  }
}

/** Returns the type of values that have one of these types. Without any, no value has it. */
export function unionOf(types: readonly Type[]): Type {
  return types.reduce(union, never)
}

function isEmpty(type: Type): boolean {
  return type.absence === 'no' && isNever(type)
}

function either<T>(a: T | null, b: T | null, join: (a: T, b: T) => T): T | null {
  if (a === null || a === b) return b
  return b === null ? a : join(a, b)
}

function together<T>(a: readonly T[] | null, b: readonly T[] | null): readonly T[] | null {
  if (a === null || b === null) return null
  const values = [...new Set([...a, ...b])]
  return values.length > mostValues ? null : values
}

function unionOfTexts(a: TextType, b: TextType): TextType {
  const blank = (type: TextType): boolean => type.values?.every((value) => value === '') === true
  return {
    values: together(a.values, b.values),
    // The empty text does not change the format: a value is often a text of a format, or empty.
    format: a.format === b.format || blank(b) ? a.format : blank(a) ? b.format : null,
    semantic: a.semantic === b.semantic || blank(b) ? a.semantic : blank(a) ? b.semantic : null,
  }
}

function unionOfLists(a: ListType, b: ListType): ListType {
  return { items: union(a.items, b.items), least: Math.min(a.least, b.least) }
}

function unionOfObjects(a: ObjectType, b: ObjectType): ObjectType {
  step(a.fields.size + b.fields.size)
  const fields = new Map<string, Type>()
  for (const name of new Set([...a.fields.keys(), ...b.fields.keys()]))
    fields.set(name, union(a.fields.get(name) ?? a.rest, b.fields.get(name) ?? b.rest))
  const others = a.others === 'open' || b.others === 'open' ? 'open' : a.others === 'declared' || b.others === 'declared' ? 'declared' : 'closed'
  return { fields, others, rest: union(a.rest, b.rest) }
}
