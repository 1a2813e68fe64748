import type { Json } from '../../domain/index.ts'
import { durationSchema, sizePattern } from '../../formats/index.ts'
import { type TProperties, type TUnsafe, Type } from '../../schema/index.ts'

/** Returns the schema of an object with these keys and no others, so that a misspelt key is an error. */
export function closed<T extends TProperties>(properties: T, description: string) {
  return Type.Object(properties, { additionalProperties: false, description })
}

/** Returns the schema of a closed list of words. */
export function words<const T extends readonly string[]>(values: T, description: string): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description })
}

/** Names of playbooks. */
export const playbookNamePattern = '^[a-z0-9][a-z0-9_-]{0,99}$'

const namePattern = '^[A-Za-z_][A-Za-z0-9_]{0,63}$'
const nameFault = 'must be 1 to 64 of a-z, A-Z, 0-9 and `_`, and must not start with a digit'

/** Names that templates use: ids of steps, inputs, slots, variables. */
export function name(description: string) {
  return Type.String({ pattern: namePattern, 'x-fault': nameFault, description })
}

/** Returns the schema of an object whose keys are names that templates use. */
export function named<T>(values: object, description: string): TUnsafe<Readonly<Record<string, T>>> {
  return Type.Unsafe<Readonly<Record<string, T>>>({
    type: 'object',
    propertyNames: { pattern: namePattern, 'x-fault': nameFault },
    additionalProperties: values,
    description,
  })
}

export function text(description: string) {
  return Type.String({ minLength: 1, description })
}

/** Returns the schema of a value whose strings may contain `{{ … }}`. */
export function templated(description: string): TUnsafe<Json> {
  return Type.Unsafe<Json>({ description })
}

/** Returns the schema of a JSON Logic rule, without templates. */
export function condition(description: string): TUnsafe<Json> {
  return Type.Unsafe<Json>({ type: ['object', 'boolean'], description })
}

/** Returns the schema of a duration. @param longest the longest allowed duration; 3650d if absent */
export function duration(description: string, longest?: string) {
  return Type.String({ ...durationSchema(longest), description })
}

/** Returns the schema of a duration of more than 0. A limit of 0 would make everything fail. */
export function limit(description: string, longest?: string) {
  const { pattern, ...rest } = durationSchema(longest)
  const fault = 'must be a duration of more than 0, such as 500ms, 30s, 10m, 4h, 1d'
  return Type.String({ ...rest, pattern: pattern.replace('^', '^(?!0+[a-z])'), 'x-fault': fault, description })
}

/** Returns the schema of a size of more than 0. */
export function size(description: string) {
  const fault = 'must be a size of more than 0, such as 64KiB, 5MiB, 1GiB'
  return Type.String({ pattern: sizePattern.replace('^', '^(?!0+[A-Z])'), 'x-fault': fault, description })
}

export function whole(least: number, most: number, description: string) {
  return Type.Integer({ minimum: least, maximum: most, description })
}
