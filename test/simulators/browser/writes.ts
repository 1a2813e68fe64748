import { approvalStatuses, sensitivityLevels } from './vocabulary.ts'

type Check = (value: unknown) => string | null
type Fields = Readonly<Record<string, Check>>

const boolean: Check = (value) => (typeof value === 'boolean' ? null : 'must be true or false')

const oneOfOrNull =
  (words: readonly string[]): Check =>
  (value) =>
    value === null || words.some((word) => word === value) ? null : `must be one of ${words.join(', ')} or null`

const textOrNull: Check = (value) => (value === null || typeof value === 'string' ? null : 'must be a text or null')

/** The fields of each PATCH. The vendor documents those of the app. The others are assumptions. */
export const appFields: Fields = {
  approvalStatus: oneOfOrNull(approvalStatuses),
  sensitivityLevel: oneOfOrNull(sensitivityLevels),
  ownerId: textOrNull,
  notes: textOrNull,
}
export const employeeFields: Fields = { licensed: boolean }
export const detectionFields: Fields = { archived: boolean }

/** Returns the change that a body asks for, or says what is wrong with it. */
export function changeOf(body: string, fields: Fields): Readonly<Record<string, unknown>> | string {
  const value = objectOf(body)
  if (typeof value === 'string') return value
  if (Object.keys(value).length === 0) return 'Nothing to change.'
  for (const [name, wanted] of Object.entries(value)) {
    const check = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!check) return `The field ${name} is unknown.`
    const fault = check(wanted)
    if (fault) return `${name} ${fault}.`
  }
  return value
}

function objectOf(body: string): Readonly<Record<string, unknown>> | string {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : 'The body must be an object.'
  } catch {
    return 'The body is not JSON.'
  }
}
