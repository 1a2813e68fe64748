import type { CallError } from '@tocsin/plugin'

/** What the platform says where it does not have a field: an older API version, another edition, a user who may not see it. */
const fieldErrors = ['invalid_field', 'malformed_query']

/** Whether an error says that a field, or another part of a statement, is not there or may not be used so. */
export function isFieldError(error: unknown): boolean {
  return fieldErrors.includes((error as Partial<CallError>).code ?? '')
}

/**
 * Runs a statement with all fields, and again without those optional ones that the platform says it does not have; without all of them where it does not say which.
 * @throws what `run` throws of a statement without optional fields, and every other error
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
    // "No such column 'DelegateUser' on entity 'SetupAuditTrail'"; around it a piece of the statement may stand, with fields that are there.
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

/** `CreatedBy.Username` is missing by either name, or because there is no `CreatedBy` to go through. */
function namesOf(field: string): readonly string[] {
  const [first = '', last] = field.split('.')
  return last === undefined ? [first] : [field, last, first]
}
