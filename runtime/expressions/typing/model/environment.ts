import type { Type } from './type.ts'

/** What can be named at one place, and the type of it. */
export interface Environment {
  /** The type of a root: `inputs`, `steps`, a loop's item. Of a root that is not there: `any`; who knows the names says so. */
  root(name: string): Type
}

/** An environment in which some roots are others. */
export function withRoots(outer: Environment, roots: Readonly<Record<string, Type>>): Environment {
  return { root: (name) => (Object.hasOwn(roots, name) && roots[name] !== undefined ? roots[name] : outer.root(name)) }
}
