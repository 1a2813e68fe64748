import { type ErrorPlace, TocsinError } from '../errors/index.ts'
import type { DocumentPath, Locator, Misspelling } from '../yaml/index.ts'

/** The kind of mistake. docs/reference/lint/ has a page for each. */
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

/** One mistake in a template or condition, found when it is compiled. */
export interface ExpressionFault {
  readonly code: ExpressionFaultCode
  /** The path from the compiled value to the string or rule. */
  readonly path: DocumentPath
  /** The offset in that string, in characters from 0. */
  readonly offset: number
  readonly message: string
  readonly misspelt?: Misspelling
}

/** All faults of one compiled value: the error `expression_invalid`. `placesOf` adds their places in the file. */
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
 * Returns the faults of a compiled value, with their places in the file.
 * @param path the path of the compiled value in the document
 */
export function placesOf(error: ExpressionError, document: Locator, path: DocumentPath): readonly ErrorPlace[] {
  return error.faults.map((fault) => {
    const whole = [...path, ...fault.path]
    return { field: whole.join('.'), message: fault.message, code: fault.code, ...document.locateInside(whole, fault.offset) }
  })
}
