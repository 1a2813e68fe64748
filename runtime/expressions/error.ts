import { type ErrorPlace, TocsinError } from '../errors/index.ts'
import type { DocumentPath, Locator, Misspelling } from '../yaml/index.ts'

/** What kind of mistake it is; docs/reference/lint/ has a page for each. */
export type ExpressionFaultCode =
  | 'template_invalid'
  | 'filter_unknown'
  | 'tag_unknown'
  | 'condition_invalid'
  | 'condition_template'
  | 'condition_path_invalid'
  | 'operator_unknown'
  | 'operator_arguments'
  | 'pattern_invalid'

/** One thing that is wrong with a template or condition, before anything runs. */
export interface ExpressionFault {
  readonly code: ExpressionFaultCode
  /** From the compiled value down to the string or rule. */
  readonly path: DocumentPath
  /** Characters from the start of that string, from 0. */
  readonly offset: number
  readonly message: string
  readonly misspelt?: Misspelling
}

/** Every fault of one compiled value; `expression_invalid`. Who knows the file turns it into places with `placesOf`. */
export class ExpressionError extends TocsinError {
  readonly faults: readonly ExpressionFault[]

  constructor(faults: readonly ExpressionFault[]) {
    super(
      'expression_invalid',
      faults.map(({ message }) => message).join('; '),
      faults.map(({ path, message }) => ({ field: path.join('.'), message })),
    )
    this.faults = faults
  }
}

/**
 * The faults of a compilation as places of the file it came from.
 * @param path where the compiled value stands in the document
 */
export function placesOf(error: ExpressionError, document: Locator, path: DocumentPath): readonly ErrorPlace[] {
  return error.faults.map((fault) => {
    const whole = [...path, ...fault.path]
    return { field: whole.join('.'), message: fault.message, code: fault.code, ...document.locateInside(whole, fault.offset) }
  })
}
