import { type Kind, type Type, text } from '../typing/model/index.ts'

/**
 * One use of a filter, for checking types. A value that may be missing was already reported. The types here assume
 * that each value exists.
 */
export interface FilterCall {
  readonly input: Type
  readonly args: readonly Type[]
  /** Arguments with a name, such as `allow_false: true`. */
  readonly named: ReadonlyMap<string, Type>
  /** The type of the items that are objects or null. Reports others, because they make the filter fail. */
  objects(items: Type): Type
  /** The type of a member of an item, by its dotted path. Reports a member that no item has. */
  member(item: Type, path: string): Type
  /** The same, for a filter that fails if an item does not have the member. */
  neededMember(item: Type, path: string): Type
}

/** What a filter takes and gives. */
export interface FilterSignature {
  /** The kinds of values that it works on. Most filters also accept null, and return an empty result for it. */
  readonly takes: readonly Kind[]
  /** What it takes, in words for messages: `a list or a text`. */
  readonly needs: string
  readonly failsOnNull: boolean
  /** The least and the greatest number of arguments. */
  readonly arity: readonly [number, number]
  /** The allowed kinds of each argument. Null: any kind. */
  readonly argumentKinds: readonly (readonly Kind[] | null)[]
  result(call: FilterCall): Type
  /** Set if a value of the right kind can still be wrong. Returns why the value is certainly wrong. Null: it may be right. */
  readonly refuses?: (value: Type, name: string) => string | null
  /** Set if arguments of the right kinds can still be wrong. Returns why one is certainly wrong. Null: they may be right. */
  readonly refusesArguments?: (args: readonly Type[]) => string | null
  /** Set if something else works for values of a wrong kind. Returns advice to append to the message. Empty: no advice. */
  readonly hint?: (value: Type, name: string) => string
}

interface Shape {
  readonly takes: readonly Kind[]
  readonly needs: string
}

export const scalars: Shape = { takes: ['text', 'number', 'boolean'], needs: 'a text' }
export const numbers: Shape = { takes: ['number'], needs: 'a number' }
export const lists: Shape = { takes: ['list'], needs: 'a list' }
export const listsOrTexts: Shape = { takes: ['list', 'text'], needs: 'a list or a text' }
export const anything: Shape = { takes: ['null', 'boolean', 'number', 'text', 'list', 'object'], needs: 'a value' }

/** Kinds of arguments. A number or boolean can stand for a text, but not for the name of a member. */
export const textual: readonly Kind[] = ['text', 'number', 'boolean']
export const numeric: readonly Kind[] = ['number']
export const memberName: readonly Kind[] = ['text']

/** @param least how many of the arguments must be given. All by default */
export function signature(
  { takes, needs }: Shape,
  argumentKinds: readonly (readonly Kind[] | null)[],
  result: (call: FilterCall) => Type,
  { least = argumentKinds.length, failsOnNull = false }: { readonly least?: number; readonly failsOnNull?: boolean } = {},
): FilterSignature {
  return { takes, needs, failsOnNull, arity: [least, argumentKinds.length], argumentKinds, result }
}

/** Returns the signature of a filter from a text to a text, with optional arguments. */
export function ofText(...optional: readonly (readonly Kind[])[]): FilterSignature {
  return signature(scalars, optional, () => text, { least: 0 })
}

/** Returns the signature of a filter from a text to a text, with this many texts as arguments. */
export function withTexts(amount: number, least: number = amount): FilterSignature {
  return signature(
    scalars,
    Array.from({ length: amount }, () => textual),
    () => text,
    { least },
  )
}

/** Returns the only text that an argument can have. Null if it is not known. */
export function constantOf(type: Type | undefined): string | null {
  const values = type?.text?.values
  return values?.length === 1 ? (values[0] ?? null) : null
}
