import type { Path } from '../../types.ts'
import { step } from './effort.ts'
import type { Environment } from './environment.ts'
import { intersect } from './intersect.ts'
import { withField } from './lazy-fields.ts'
import { isNever, never, nullType, type Type, typeOfValue, without } from './type.ts'

/** Something that is known about a path because a condition holds, or does not. */
export interface Fact {
  readonly path: Path
  /** The part of the type that is still possible. */
  refine(type: Type): Type
}

/** Returns the environment in which these facts hold. Each root is refined on first use. */
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

/** Refines the type at a path. If the value is then certainly there, so are the objects on the way to it. */
function refined(type: Type, path: Path, refine: Fact['refine']): Type {
  const [key, ...rest] = path
  if (key === undefined) {
    const left = refine(type)
    // The facts contradict each other, so this part is never evaluated. Problems in it would not be real.
    return left.absence === 'no' && isNever(left) ? type : left
  }
  const { object } = type
  if (object === null) return type
  step(1 + object.fields.size)
  const member = refined(object.fields.get(key) ?? object.rest, rest, refine)
  const narrowed = { ...object, fields: withField(object.fields, key, member) }
  return member.absence === 'no' ? { ...never, object: narrowed } : { ...type, object: narrowed }
}

/** Returns the values of a type that count as true in json-logic: all but null, false, 0, the empty text and the empty list. */
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

/** Returns the values of a type that count as false in json-logic. */
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

/** Returns the part of a type that equals a value. It is not missing. */
export function equal(type: Type, value: string | number | boolean | null): Type {
  if (value === null) return nullType
  return { ...intersect(type, typeOfValue(value)), absence: 'no' }
}

/** Returns the part of a type that does not equal a value. It is not missing. */
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
