import type { CaseLink, Scope } from '../../../domain/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import type { Store } from '../../../storage/index.ts'
import { Time, Uuid } from '../../schemas.ts'

export const CaseLinkSchema = Type.Object({
  case_id: Type.String(),
  case_uuid: Uuid,
  at: Time,
  by: Type.String({ description: 'The name of the person who did this.' }),
})

/** The case into which a case was merged. */
export const MergedIntoSchema = Type.Union([Type.Null(), CaseLinkSchema], { description: 'The case into which this one was merged.' })

/** Returns the other case of a link or merge, as the API shows it. */
export function caseLinkView({ uuid, caseId, at, by }: CaseLink): Static<typeof CaseLinkSchema> {
  return { case_id: caseId, case_uuid: uuid, at, by }
}

/** Returns the cases that others were merged into, by the ids of the merged ones. Reads once for a page of a list, or not at all if it has no cases. */
export async function continuedIn(store: Store, scope: Scope, caseIds: readonly (string | null)[]): Promise<ReadonlyMap<string, CaseLink>> {
  const known = [...new Set(caseIds)].filter((caseId) => caseId !== null)
  return known.length === 0 ? new Map() : store.cases.continued(scope, known)
}

/** Returns the case that continues another one, as lists show it. */
export function mergedIntoView(continued: ReadonlyMap<string, CaseLink>, caseId: string | null): Static<typeof MergedIntoSchema> {
  const into = caseId === null ? undefined : continued.get(caseId)
  return into ? caseLinkView(into) : null
}
