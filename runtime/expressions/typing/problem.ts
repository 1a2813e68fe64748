import type { DocumentPath, Misspelling } from '../../yaml/index.ts'

/** The problems of templates and conditions that types show. Each code has an entry in the registry of findings. */
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

/** A problem of a template or a condition that its types show. */
export interface Problem {
  readonly code: ProblemCode
  /** Says what is wrong, with the type, and with the nearest right name if there is one. */
  readonly message: string
  /** The path from the checked value to the string or rule. */
  readonly at: DocumentPath
  /** The offset in that string, in characters from 0. */
  readonly offset: number
  /** Set if the name at the offset is certainly a misspelling. */
  readonly misspelt?: Misspelling
}
