import type { Path } from '../../types.ts'
import { step } from './effort.ts'
import type { Environment } from './environment.ts'
import { intersect } from './intersect.ts'
import { withField } from './lazy-fields.ts'
import { isNever, never, nullType, type Type, typeOfValue, without } from './type.ts'

/** Something that is known of a path where a condition has held, or has not. */
export interface Fact {
  readonly path: Path
  /** What is left of its type. */
  refine(type: Type): Type
}

/** The environment where these facts hold. Roots are refined when they are asked for, and once. */
export function withFacts(outer: Environment, facts: readonly Fact[]): Environment {
  return facts.length === 0 ? outer : new Narrowed(outer, facts)
}

/** An environment that adds facts to another. There may be thousands of layers, so `root` loops over them and does not recurse. */
class Narrowed implements Environment {
  readonly #outer: Environment
  readonly #facts: readonly Fact[]
  readonly #known = new Map<string, Type>()

  constructor(outer: Environment, facts: readonly Fact[]) {
    this.#outer = outer
    this.#facts = facts
  }

  root(name: string): Type {
    const open: Narrowed[] = []
    let at: Environment = this
    while (at instanceof Narrowed && !at.#known.has(name)) {
      open.push(at)
      at = at.#outer
    }
    let type = (at instanceof Narrowed ? at.#known.get(name) : undefined) ?? at.root(name)
    for (const layer of open.reverse()) {
      type = layer.#refined(name, type)
      layer.#known.set(name, type)
    }
    return type
  }

  #refined(name: string, type: Type): Type {
    step(this.#facts.length)
    return this.#facts.reduce((at, { path: [root, ...path], refine }) => (root === name ? refined(at, path, refine) : at), type)
  }
}

/** A type in which what stands at a path is refined. Where it is surely there then, so is everything on the way. */
function refined(type: Type, path: Path, refine: Fact['refine']): Type {
  const [key, ...rest] = path
  if (key === undefined) {
    const left = refine(type)
    // Facts that contradict each other: nobody comes here, and what would be wrong here is nobody's mistake.
    return left.absence === 'no' && isNever(left) ? type : left
  }
  const { object } = type
  if (object === null) return type
  step(1 + object.fields.size)
  const member = refined(object.fields.get(key) ?? object.rest, rest, refine)
  const narrowed = { ...object, fields: withField(object.fields, key, member) }
  return member.absence === 'no' ? { ...never, object: narrowed } : { ...type, object: narrowed }
}

/** What of a type counts as true, in the sense of json-logic: not null, false, 0, the empty text or the empty list. */
export function truthy(type: Type): Type {
  return {
    ...without(type, 'null'),
    absence: 'no',
    boolean: type.boolean.filter((value) => value),
    number: type.number?.values == null ? type.number : notEqual(type, 0).number,
    text: type.text?.values == null ? type.text : notEqual(type, '').text,
    list: type.list === null ? null : { ...type.list, least: Math.max(type.list.least, 1) },
  }
}

/** What of a type counts as false. */
export function falsy(type: Type): Type {
  return {
    absence: type.absence,
    null: type.null,
    boolean: type.boolean.filter((value) => !value),
    number: intersect(type, typeOfValue(0)).number,
    text: intersect(type, typeOfValue('')).text,
    list: type.list === null || type.list.least > 0 ? null : { items: never, least: 0 },
    object: null,
  }
}

/** What of a type is equal to a value, and there. */
export function equal(type: Type, value: string | number | boolean | null): Type {
  if (value === null) return nullType
  return { ...intersect(type, typeOfValue(value)), absence: 'no' }
}

/** What of a type is not equal to a value, and there. */
export function notEqual(type: Type, value: string | number | boolean | null): Type {
  const there: Type = { ...type, absence: 'no' }
  if (value === null) return without(there, 'null')
  if (typeof value === 'boolean') return { ...there, boolean: type.boolean.filter((one) => one !== value) }
  if (typeof value === 'number') return { ...there, number: but(type.number, value) }
  return { ...there, text: but(type.text, value) }
}

function but<V, T extends { readonly values: readonly V[] | null }>(type: T | null, value: V): T | null {
  const values = type?.values?.filter((one) => one !== value)
  if (type === null || values === undefined) return type
  return values.length === 0 ? null : { ...type, values }
}
