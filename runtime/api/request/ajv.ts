import { Ajv } from 'ajv'

/**
 * The one validator of the API: nothing is coerced and nothing removed, so that what is wrong is said and not mended.
 * Two formats say what text may hold. `text`: any Unicode; a lone half of a surrogate pair is refused, because no store could
 * give it back as it came. `line`: as `text`, without control characters, and not blank.
 */
export function newAjv(options: { readonly allErrors: boolean }): Ajv {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, useDefaults: true, coerceTypes: false, removeAdditional: false, ...options })
  ajv.addFormat('text', { type: 'string', validate: (text: string) => text.isWellFormed() })
  ajv.addFormat('line', { type: 'string', validate: (text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text) && text.trim() !== '' })
  // For the description of the API only: ids that do not fit are unknown, not invalid, and the schema itself says how large a number may be.
  ajv.addFormat('uuid', true)
  ajv.addFormat('int64', true)
  return ajv
}
