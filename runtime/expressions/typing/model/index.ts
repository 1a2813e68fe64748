/**
 * The model of types: what is known about a value before a run, from JSON Schemas and from
 * conditions that hold.
 */
export { impossible, mayBeLong } from './comparison.ts'
export { boundedly, forPlaybook, step } from './effort.ts'
export { type Environment, withRoots } from './environment.ts'
export { fitOf } from './fit.ts'
export { LazyFields } from './lazy-fields.ts'
export { type Member, memberOf } from './member.ts'
export { equal, type Fact, falsy, notEqual, truthy, withFacts } from './narrow.ts'
export { typeOfSchema } from './schema.ts'
export { describe, show, showKinds } from './show.ts'
export {
  absent,
  any,
  boolean,
  has,
  integer,
  isAny,
  isNever,
  isOfAny,
  type Kind,
  list,
  listOf,
  moreAbsent,
  never,
  nullable,
  nullType,
  number,
  objectOf,
  only,
  optional,
  present,
  type Type,
  text,
  typeOfValue,
  union,
  unionOf,
  valuesOf,
  without,
} from './type.ts'
