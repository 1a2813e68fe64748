import { useEffect, useRef } from 'react'
import type { CaseDetailsView, TimelineEntryView } from '../../runtime/api/index.ts'
import { done } from '../shared/toasts.tsx'
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

/** Tells a person who has the case open when somebody else replaces what they have set: the other one may not have seen it. */
export function useReplacedNotice({ case_id: id, timeline }: CaseDetailsView, person: string): void {
  const seen = useRef(new Set(timeline.map((entry) => entry.id)))
  useEffect(() => {
    for (const [at, entry] of timeline.entries()) {
      if (seen.current.has(entry.id)) continue
      seen.current.add(entry.id)
      const fields = entry.actor.principal_uuid === person ? [] : replacedIn(entry, timeline.slice(0, at), person)
      if (fields.length > 0)
        done({ text: `${entry.actor.name ?? 'Somebody else'} has replaced your change of ${id}`, replaced: `Now ${fields.join(', ')}.` })
    }
  }, [timeline, id, person])
}

/** Says what a change has set instead of what that person had set last. */
function replacedIn({ kind, change }: TimelineEntryView, earlier: readonly TimelineEntryView[], person: string): readonly string[] {
  if (kind !== 'change' || typeof change !== 'object' || change === null) return []
  return Object.entries(change).flatMap(([field, value]) => {
    const latest = earlier.findLast((entry) => entry.kind === 'change' && hasValue(entry.change, field))
    const own = latest?.actor.principal_uuid === person && hasValue(latest.change, field) ? latest.change[field] : value
    return own === value ? [] : [`${field} is ${wordFor(field, value)}. You had set ${wordFor(field, own)}`]
  })
}

function hasValue<Field extends string>(of: unknown, field: Field): of is Readonly<Record<Field, unknown>> {
  return typeof of === 'object' && of !== null && field in of
}
