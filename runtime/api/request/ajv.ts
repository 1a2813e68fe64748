import type { Ajv } from 'ajv'
import { isBlank, isLine } from '../../domain/index.ts'
import { pointerPattern } from '../../json/index.ts'
import { ajv as library } from '../../packages/index.ts'

/**
 * Returns the validator of the API. It does not coerce or remove anything: wrong input is an error.
 * It adds formats. `text`: any Unicode without lone surrogates, because no store could return them unchanged.
 * `said`: like `text`, with a visible character. `line`: like `said`, without control characters and line separators. A fourth, `pointer`, is a JSON pointer to a part.
 */
function newAjv(options: { readonly allErrors: boolean }): Ajv {
  const { Ajv } = library()
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, useDefaults: true, coerceTypes: false, removeAdditional: false, ...options })
  ajv.addFormat('text', { type: 'string', validate: (text: string) => text.isWellFormed() })
  ajv.addFormat('said', { type: 'string', validate: (text: string) => text.isWellFormed() && !isBlank(text) })
  ajv.addFormat('line', { type: 'string', validate: isLine })
  ajv.addFormat('pointer', new RegExp(pointerPattern, 'u'))
  // Only documentation: an id of another form is unknown, not invalid, and the schema itself limits numbers.
  ajv.addFormat('uuid', true)
  ajv.addFormat('int64', true)
  return ajv
}

interface Validators {
  /** Stops at the first fault. */
  readonly first: Ajv
  /** Finds all faults. */
  readonly every: Ajv
  /** The same for the parameters of queries. */
  readonly queries: Ajv
}

let made: Validators | null = null

/** Returns the validators of this process. They are made at the first request: a start checks none. */
export function validators(): Validators {
  made ??= { first: newAjv({ allErrors: false }), every: newAjv({ allErrors: true }), queries: newAjv({ allErrors: true }) }
  return made
}
