import { type ErrorPlace, TocsinError } from '../errors/index.ts'
import type { DocumentPath, Locator } from '../yaml/index.ts'

/** One thing that is wrong with a template or condition, before anything runs. */
export interface ExpressionFault {
  /** From the compiled value down to the string or rule. */
  readonly path: DocumentPath
  /** Characters from the start of that string, from 0. */
  readonly offset: number
  readonly message: string
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
    return { field: whole.join('.'), message: fault.message, ...document.locateInside(whole, fault.offset) }
  })
}
