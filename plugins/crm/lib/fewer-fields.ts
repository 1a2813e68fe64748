import type { CallError } from '@tocsin/plugin'

/**
 * What the platform says if it does not have a field: in an older API version, in another edition,
 * or for a user who may not see it.
 */
const fieldErrors = ['invalid_field', 'malformed_query']

/**
 * Returns whether an error says that a field, or another part of a statement, does not exist or may
 * not be used in this way.
 */
export function isFieldError(error: unknown): boolean {
  return fieldErrors.includes((error as Partial<CallError>).code ?? '')
}

/**
 * Runs a statement with all fields. If the platform says that it lacks optional ones, runs it again
 * without those, or without all optional fields if the platform does not say which.
 * @throws what `run` throws for a statement without optional fields, and every other error
 */
export async function withFewerFields<Result>(
  fields: readonly string[],
  optional: readonly string[],
  run: (fields: readonly string[]) => Promise<Result>,
): Promise<Result> {
  try {
    return await run(fields)
  } catch (error) {
    const left = optional.filter((field) => fields.includes(field))
    if (left.length === 0 || !isFieldError(error)) throw error
    // The message is, for example, "No such column 'DelegateUser' on entity 'SetupAuditTrail'". A piece
    // of the statement may surround it, with fields that do exist.
    const message = error instanceof Error ? error.message : ''
    const quoted = new Set([...message.matchAll(/'([\w.]+)'/g)].map(([, name = '']) => name.toLowerCase()))
    const named = left.filter((field) => namesOf(field).some((name) => quoted.has(name.toLowerCase())))
    const gone = named.length > 0 ? named : left
    return withFewerFields(
      fields.filter((field) => !gone.includes(field)),
      optional,
      run,
    )
  }
}

/** Returns the names by which the platform may report a field: of `CreatedBy.Username` it may name either part. */
function namesOf(field: string): readonly string[] {
  const [first = '', last] = field.split('.')
  return last === undefined ? [first] : [field, last, first]
}
