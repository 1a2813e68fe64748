import type { CaseDetailsView } from '../../runtime/api/index.ts'
import type { CaseFields } from './requests.ts'
import { wordFor } from './words.ts'

/**
 * Returns what a change of a person has replaced: the server notes it with the change. It is not always what the page had shown, because
 * somebody else may have changed the same fields a moment before.
 * @param answered the case after the change
 * @param person the id of the person
 * @param set what the change has set
 * @param shown what the page had shown
 */
export function replacedBy(answered: CaseDetailsView, person: string, set: CaseFields, shown: CaseFields): CaseFields {
  const latest = answered.timeline.findLast(({ kind, change }) => kind === 'change' && Object.keys(set).some((field) => hasValue(change, field)))
  const before = latest?.actor.principal_uuid === person ? latest.before : null
  return Object.fromEntries(Object.entries(shown).map(([field, value]) => [field, hasValue(before, field) ? before[field] : value])) as CaseFields
}

/** Says which changes of others were replaced. Null: none. */
export function replacedText(replaced: CaseFields, shown: CaseFields): string | null {
  const names = (Object.keys(shown) as (keyof CaseFields)[]).filter((field) => replaced[field] !== shown[field])
  if (names.length === 0) return null
  return `Somebody had changed it meanwhile: ${names.map((field) => `${field} was ${wordFor(field, replaced[field])}`).join(', ')}.`
}

function hasValue<Field extends string>(of: unknown, field: Field): of is Readonly<Record<Field, unknown>> {
  return typeof of === 'object' && of !== null && field in of
}
