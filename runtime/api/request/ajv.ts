import { Ajv } from 'ajv'

/**
 * Returns the validator of the API. It does not coerce or remove anything: wrong input is an error.
 * It adds two formats. `text`: any Unicode without lone surrogates, because no store could return them unchanged.
 * `line`: like `text`, without control characters, and not blank.
 */
export function newAjv(options: { readonly allErrors: boolean }): Ajv {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, useDefaults: true, coerceTypes: false, removeAdditional: false, ...options })
  ajv.addFormat('text', { type: 'string', validate: (text: string) => text.isWellFormed() })
  ajv.addFormat('line', { type: 'string', validate: (text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text) && text.trim() !== '' })
  // Only documentation: an id of another form is unknown, not invalid, and the schema itself limits numbers.
  ajv.addFormat('uuid', true)
  ajv.addFormat('int64', true)
  return ajv
}
