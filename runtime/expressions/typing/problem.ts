import type { DocumentPath, Misspelling } from '../../yaml/index.ts'

/** Everything that the types can tell of a template or a condition. Each code has its entry in the registry of findings. */
export type ProblemCode =
  | 'unknown_member'
  | 'undeclared_member'
  | 'no_members'
  | 'value_missing'
  | 'value_may_be_missing'
  | 'filter_input'
  | 'filter_argument'
  | 'default_comes_late'
  | 'not_a_list'
  | 'operand_type'
  | 'value_may_be_null'
  | 'types_never_equal'
  | 'value_never_equal'
  | 'comparison_constant'
  | 'condition_constant'
  | 'arguments_swapped'
  | 'logic_pitfall'

/** Something that is wrong with a template or a condition by its types. */
export interface Problem {
  readonly code: ProblemCode
  /** Says what is wrong, with the type, and the nearest right name where there is one. */
  readonly message: string
  /** From the checked value down to the string or rule. */
  readonly at: DocumentPath
  /** Characters from the start of that string, from 0. */
  readonly offset: number
  /** What was meant, where that is certain; `name` stands at the offset. */
  readonly misspelt?: Misspelling
}
