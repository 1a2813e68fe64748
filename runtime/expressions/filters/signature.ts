import type { Kind, Type } from '../typing/model/index.ts'

/** One use of a filter. What may be missing is told before; the types here are of what is there. */
export interface FilterCall {
  readonly input: Type
  readonly args: readonly Type[]
  /** Arguments with a name, such as `allow_false: true`. */
  readonly named: ReadonlyMap<string, Type>
  /** The items that are objects, or null; tells of others, which make the filter fail. */
  objects(items: Type): Type
  /** The member of each item that an argument names, dotted; tells of members that no item has. */
  member(item: Type, path: string): Type
  /** The same for a filter that fails where an item has no such member. */
  neededMember(item: Type, path: string): Type
}

/** What a filter takes and makes. */
export interface FilterSignature {
  /** Kinds of values that it does something with; null is nothing to most of them. */
  readonly takes: readonly Kind[]
  /** What it takes, in words. */
  readonly needs: string
  /** Whether null makes it fail. */
  readonly failsOnNull: boolean
  /** How many arguments it has, at least and at most. */
  readonly arity: readonly [number, number]
  /** Kinds that each argument may be of; null: any. */
  readonly argumentKinds: readonly (readonly Kind[] | null)[]
  result(call: FilterCall): Type
}

export interface Shape {
  readonly takes: readonly Kind[]
  readonly needs: string
}

export const scalars: Shape = { takes: ['text', 'number', 'boolean'], needs: 'a text' }
export const numbers: Shape = { takes: ['number'], needs: 'a number' }
export const lists: Shape = { takes: ['list'], needs: 'a list' }

/** A signature of the usual sort. */
export function signature(
  { takes, needs }: Shape,
  argumentKinds: readonly (readonly Kind[] | null)[],
  result: (call: FilterCall) => Type,
  { least = argumentKinds.length, failsOnNull = false }: { readonly least?: number; readonly failsOnNull?: boolean } = {},
): FilterSignature {
  return { takes, needs, failsOnNull, arity: [least, argumentKinds.length], argumentKinds, result }
}

/** The text that an argument surely is; null when it is not known. */
export function constantOf(type: Type | undefined): string | null {
  const values = type?.text?.values
  return values?.length === 1 ? (values[0] ?? null) : null
}
