import type { Json } from '../../../domain/index.ts'
import type { DocumentPath, Misspelling } from '../../../yaml/index.ts'
import type { OperatorCall } from '../../operators/call.ts'
import { type Environment, memberOf, type Type, withRoots } from '../model/index.ts'
import type { ProblemCode } from '../problem.ts'

/** What `var` reads from: the roots, or the item of a loop. */
export interface Scope {
  readonly environment: Environment
  /** Null outside loops. */
  readonly item: Type | null
}

/** One use of a special operator, for checking types. */
export interface RuleUse {
  readonly name: string
  readonly rule: Json
  readonly args: readonly Json[]
  readonly at: DocumentPath
  readonly scope: Scope
  /** The place of an argument. */
  readonly place: (index: number) => DocumentPath
  /** The type of a part of the rule. Reports its problems. */
  readonly read: (part: Json, at: DocumentPath, scope: Scope) => Type
  /** Reads all arguments in this scope, as for an operator that evaluates them first. */
  readonly evaluated: () => OperatorCall
  readonly tell: (code: ProblemCode, at: DocumentPath, message: string, misspelt?: Misspelling, offset?: number) => void
}

/** Returns the scope inside a loop over such items. */
export function inLoop(item: Type): Scope {
  return { item, environment: { root: (name) => memberOf(item, name, 'condition', 'the item').type } }
}

/** Returns the scope of a rule outside every loop. */
export function outermost(environment: Environment): Scope {
  return { environment: withRoots(environment, {}), item: null }
}
