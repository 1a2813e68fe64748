import type { Type } from './type.ts'

/** The names that an expression can use at one place, with their types. */
export interface Environment {
  /** The type of a root, such as `inputs`, `steps` or a loop's item. `any` if there is no such root, because another check reports that. */
  root(name: string): Type
}

/** Returns an environment with other types for some roots. */
export function withRoots(outer: Environment, roots: Readonly<Record<string, Type>>): Environment {
  return { root: (name) => (Object.hasOwn(roots, name) && roots[name] !== undefined ? roots[name] : outer.root(name)) }
}
