import type { Json } from '../../domain/index.ts'
import type { Type } from '../typing/model/index.ts'
import type { RuleUse } from '../typing/rules/scope.ts'
import type { Meter } from '../work.ts'
import type { OperatorCall } from './call.ts'
import type { Compile } from './part.ts'

/** In `takes`: any number of arguments. */
export const many = Number.MAX_SAFE_INTEGER

/** What every operator of conditions has. The reference page, editors, the compiler, lint and the explanation of runs read it. */
interface Described {
  readonly name: string
  /** What it returns: a phrase that starts in lower case and has no full stop. */
  readonly text: string
  /** A rule that uses the operator and reads only from `operatorContext`. */
  readonly example: Json
  /** `tocsin`: only Tocsin has it. `json-logic`: json-logic has it too, but coerces types. */
  readonly from: 'json-logic' | 'tocsin'
  /** The least and the greatest number of arguments. */
  readonly takes: readonly [number, number]
  /** Set if an explanation writes it between its arguments. `binding` is its precedence. */
  readonly infix?: { readonly written: string; readonly binding: number }
}

/** A function of the evaluated arguments, with its meter. */
export type Evaluate = (meter: Meter, ...values: Json[]) => Json

/** An operator whose arguments are evaluated first. Most operators are of this sort. */
export interface ValueOperator extends Described {
  /**
   * Charges for its own work only. The work of its arguments is already charged.
   * @throws Error whose message continues a sentence that begins with the name of the operator; WorkExceeded
   */
  readonly evaluate: Evaluate
  /** Reports arguments that are certainly a mistake, and returns the type of the result. */
  readonly types: (call: OperatorCall) => Type
  /**
   * Set if constant arguments allow some work to be done once, when the rule is compiled.
   * @returns the arguments that are still to be evaluated, and what to do with them; null: nothing can be done in advance
   */
  readonly prepare?: (values: readonly Json[]) => { readonly values: readonly Json[]; readonly evaluate: Evaluate } | null
  /** Set if the operator tests two values. Its result if both are equal. Null if that depends on the value. */
  readonly ofItself?: boolean | null
}

/** An operator that decides itself what is evaluated, and when: it reads from the context, branches or loops. */
export interface SpecialOperator extends Described {
  readonly compile: Compile
  /** Reports what is certainly a mistake, and returns the type of the result. */
  readonly types: (use: RuleUse) => Type
  /** Whether the result depends on more than the arguments. */
  readonly readsContext: boolean
  /** Whether the second argument is evaluated for each item, so that `var` reads from the item there. */
  readonly loops: boolean
}

export type Operator = ValueOperator | SpecialOperator

/** Returns whether an operator evaluates its arguments itself. */
export function isSpecial(operator: Operator): operator is SpecialOperator {
  return 'compile' in operator
}
